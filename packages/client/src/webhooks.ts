import { AnteError } from "./errors.ts";
import { readJson } from "./decimal.ts";
import type { AccountEvent, EndpointTest } from "./types.ts";

export interface ReceivedWebhook {
  /** The body as it arrived, before any parsing. */
  body: string;
  /** The request's headers: a `Headers` object, or one of names and values as in Node. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the endpoint, `whsec_…`. */
  secret: string;
  /** How far the clocks may differ, in seconds; 300 by default. */
  toleranceSeconds?: number | undefined;
}

export interface VerifiedWebhook {
  /** The same in every attempt: handle each id once. */
  id: string;
  event: AccountEvent | EndpointTest;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a message of a webhook (Standard Webhooks) and returns its event. During the rotation of a
 * secret a message has two signatures; one that fits is enough.
 *
 * @throws AnteError INVALID_SIGNATURE. Respond with 400.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<VerifiedWebhook> {
  const { body, headers, secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = received;
  const id = getHeader(headers, "webhook-id");
  const timestamp = getHeader(headers, "webhook-timestamp");
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw refuse("The message is too old, or its clock differs.");
  const key = await importKey(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of getHeader(headers, "webhook-signature").split(" ")) {
    const [version, value = ""] = signature.split(",");
    const bytes = version === "v1" ? decodeBase64(value) : null;
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
      return { id, event: readJson(body) as AccountEvent };
  }
  throw refuse("No signature of the message fits the secret.");
}

/** Signs a message as the service does, to forward events or to test a receiver. */
export async function signWebhook(
  { id, timestamp, body }: { id: string; timestamp: Date; body: string },
  secret: string,
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const seconds = String(Math.floor(timestamp.getTime() / 1_000));
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signature = await crypto.subtle.sign("HMAC", await importKey(secret), signed);
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("secret must be a webhook secret, whsec_…");
  const usages: KeyUsage[] = ["sign", "verify"];
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, usages);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Node gives names in lower case. Other servers may not. */
function getHeader(headers: ReceivedWebhook["headers"], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string") return value;
  throw refuse(`The message has no header ${name}.`);
}

const refuse = (reason: string) => new AnteError("INVALID_SIGNATURE", reason);
