import "server-only";
import { createHash } from "node:crypto";
import type { StoredClaim } from "@/lib/db/queries/idempotency";
import { resolveTimeInForce } from "@/lib/domain/order-intent";
import { defaultTimeInForce } from "@/lib/domain/time-in-force";
import type { Answer } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { formatMicro, parseMicro } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/**
 * Hashes the UTF-16 code units of a key with SHA-256. The text itself is no usable database key:
 * Postgres rejects NUL, and UTF-8 replaces all lone surrogates by the same character.
 */
export function hashIdempotencyKey(key: string): string {
  return createHash("sha256").update(Buffer.from(key, "utf16le")).digest("hex");
}

/** Returns the fields of an order in canonical form: 0.50 and 0.5 are the same order. */
export function toCanonicalFields(body: PlaceOrderBody, mode: Mode): Record<string, string> {
  const fields: Record<string, string> = {
    tokenId: body.tokenId,
    action: body.action,
    orderType: body.orderType,
    mode,
  };
  for (const name of ["amount", "shares", "price"] as const) {
    const value = body[name];
    if (value !== undefined) fields[name] = formatMicro(value);
  }
  if (body.tickSize !== undefined) fields["tickSize"] = canonicalDecimal(body.tickSize);
  // An explicit default is the same order as an omitted one.
  const timeInForce = resolveTimeInForce(body);
  if (timeInForce !== defaultTimeInForce(body.orderType)) fields["timeInForce"] = timeInForce;
  if (body.expiresAt !== undefined) fields["expiresAt"] = body.expiresAt.toISOString();
  if (body.postOnly === true) fields["postOnly"] = "true";
  return fields;
}

/** Returns the body that places the order of canonical fields. The inverse of `toCanonicalFields`. */
export function toOrderBody(
  fields: Record<string, string>,
  idempotencyKey: string,
): Record<string, string | number | boolean> {
  const entries = Object.entries(fields)
    .filter(([name]) => name !== "mode")
    .map(([name, text]) => [name, toJsonValue(name, text)]);
  return { ...Object.fromEntries(entries), idempotencyKey };
}

function toJsonValue(name: string, text: string): string | number | boolean {
  if (name === "postOnly") return text === "true";
  return ["amount", "shares", "price"].includes(name) ? Number(text) : text;
}

export function computeFingerprint(fields: Record<string, string>): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** Returns the response that is stored with a key; null while the outcome of its order is unknown. */
export function readStoredAnswer({ status, body }: StoredClaim): Answer | null {
  return status === null || body === null ? null : { status, body };
}

function canonicalDecimal(text: string): string {
  const parsed = parseMicro(text);
  return parsed.ok ? formatMicro(parsed.micro) : text;
}
