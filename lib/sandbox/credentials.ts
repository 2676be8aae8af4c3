import "server-only";
import { createHmac } from "node:crypto";
import { env } from "@/lib/env";

/** What a client keeps of its API key. */
export interface Credentials {
  apiKey: string;
  secret: string;
  passphrase: string;
}

/**
 * The credentials of an owner and a nonce. They are a function of both and of the service's
 * pepper, as they are at the venue: deriving them again gives the same, and nothing is stored.
 */
export function credentialsOf(owner: string, nonce: string): Credentials {
  const part = (name: string) =>
    createHmac("sha256", env().API_KEY_PEPPER)
      .update(`sandbox/${name}/${owner.toLowerCase()}/${nonce}`)
      .digest();
  return {
    apiKey: toUuid(part("key")),
    secret: `${part("secret").toString("base64url")}=`,
    passphrase: part("passphrase").toString("hex"),
  };
}

/** The first bytes as a version 4 UUID. */
function toUuid(bytes: Buffer): string {
  const hex = bytes.subarray(0, 16).toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
