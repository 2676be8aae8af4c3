import "server-only";
import { createCipheriv, randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a signing key under a fresh data key, and the data key under the first of
 * KEY_ENCRYPTION_KEYS. `context` binds both to their row: sealed text that is moved to another
 * user's row does not open.
 *
 * Form: `v1.<key-encryption key id>.<wrapped data key>.<sealed key>`, each part IV, ciphertext and
 * 16-byte tag, in base64url.
 */
export function seal(secret: Uint8Array, context: string): string {
  const [first = ""] = env().KEY_ENCRYPTION_KEYS.split(",");
  const [keyId, encoded] = first.split(":");
  assert(keyId && encoded, "the environment has a key-encryption key");
  const dataKey = randomBytes(32);
  const wrapped = encrypt(Buffer.from(encoded, "base64"), dataKey, `${context}/data-key/${keyId}`);
  const sealed = encrypt(dataKey, secret, context);
  dataKey.fill(0);
  return ["v1", keyId, wrapped, sealed].join(".");
}

function encrypt(key: Uint8Array, plain: Uint8Array, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString("base64url");
}
