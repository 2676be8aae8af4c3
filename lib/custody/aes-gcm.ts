import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const IV_BYTES = 12;
/** Enforced in `decrypt`, because Node accepts tags of four bytes. */
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM: nonce, ciphertext and tag. `decrypt` needs the same `context`. */
export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]);
}

/** Decrypts the result of `encrypt`. Throws if a byte, the key or the context differs. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new Error("a sealed secret is too short");
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  // With a stream cipher, `final` only checks the tag, so this is the only copy of the plaintext.
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return plain;
  } catch (error) {
    plain.fill(0);
    throw error;
  }
}
