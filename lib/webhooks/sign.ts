import "server-only";
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** The size of a secret. Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A message to sign. The id is the same in every attempt. */
export interface Message {
  id: string;
  /** When it is sent. */
  timestamp: Date;
  body: string;
}

/** Creates the secret of an endpoint, in the form of Standard Webhooks. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/**
 * Signs a message as Standard Webhooks 1.0 says.
 *
 * @param secrets one, or during a rotation two; the receiver accepts a signature by any of them.
 */
export function signMessage(
  { id, timestamp, body }: Message,
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(timestamp.getTime() / 1_000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(id, timestamp, body))
      .join(" "),
  };
}
