import "server-only";
import { createHash } from "node:crypto";
import type { StoredClaim } from "@/lib/db/queries/idempotency";
import { AppError } from "@/lib/errors";
import type { Answer } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { formatMicro, parseMicro } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/**
 * SHA-256 of a key's UTF-16 code units. As text, NUL is refused by Postgres and lone surrogates all
 * become the same replacement character; their code units differ.
 */
export function hashIdempotencyKey(key: string): string {
  return createHash("sha256").update(Buffer.from(key, "utf16le")).digest("hex");
}

/** The fields of an order in canonical form: 0.50 and 0.5 are the same order. */
export function canonicalFields(body: PlaceOrderBody, mode: Mode): Record<string, string> {
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
  return fields;
}

export function fingerprintOf(fields: Record<string, string>): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** Throws when a key belongs to another order than the one it now comes with. */
export function requireSameOrder(stored: StoredClaim, fields: Record<string, string>): void {
  if (stored.fingerprint === fingerprintOf(fields)) return;
  throw new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `this idempotencyKey was used for another order: ${differingField(stored.fields, fields)} differs`,
  );
}

/** The answer that a key was given; null while its order's fate is not known. */
export function storedAnswer({ status, body }: StoredClaim): Answer | null {
  return status === null || body === null ? null : { status, body };
}

const FIELD_ORDER = [
  "tokenId",
  "action",
  "orderType",
  "amount",
  "shares",
  "price",
  "tickSize",
  "mode",
] as const;

function differingField(before: Record<string, string>, after: Record<string, string>): string {
  return FIELD_ORDER.find((name) => before[name] !== after[name]) ?? "a field";
}

function canonicalDecimal(text: string): string {
  const parsed = parseMicro(text);
  return parsed.ok ? formatMicro(parsed.micro) : text;
}
