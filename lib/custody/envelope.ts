import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";

const IV_BYTES = 12;
/** Enforced on opening: node would accept a tag of four bytes. */
const TAG_BYTES = 16;

/** A key-encryption key of KEY_ENCRYPTION_KEYS. */
export interface KeyEncryptionKey {
  id: string;
  key: Buffer;
}

/** The key that new secrets are wrapped under: the first of the list. */
export function currentKey(): KeyEncryptionKey {
  const [first] = keyRing();
  assert(first, "the environment has a key-encryption key");
  return first;
}

/** A key by its id. Throws when the environment does not list it any more. */
export function keyOf(id: string): KeyEncryptionKey {
  const found = keyRing().find((candidate) => candidate.id === id);
  if (!found) throw new Error(`KEY_ENCRYPTION_KEYS does not hold the key "${id}"`);
  return found;
}

/** What the data key of a secret is bound to: its row, and the key that wraps it. */
export const dataKeyContext = (context: string, keyId: string) => `${context}/data-key/${keyId}`;

/** AES-256-GCM: nonce, ciphertext and tag in base64url. `context` must be given again to open. */
export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString("base64url");
}

/** Opens what `encrypt` made. Throws when a byte, the key or the context is another. */
export function decrypt(key: Uint8Array, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error("a sealed secret is too short");
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([body, decipher.final()]);
}

function keyRing(): KeyEncryptionKey[] {
  return env()
    .KEY_ENCRYPTION_KEYS.split(",")
    .map((entry) => {
      const [id = "", encoded = ""] = entry.split(":");
      return { id, key: Buffer.from(encoded, "base64") };
    });
}
