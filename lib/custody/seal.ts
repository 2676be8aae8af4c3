import "server-only";
import { randomBytes } from "node:crypto";
import { currentKey, dataKeyContext, decrypt, encrypt, keyOf } from "@/lib/custody/envelope";

const VERSION = "v1";
const DATA_KEY_BYTES = 32;

/**
 * Encrypts a signing key under a fresh data key, and the data key under the first of
 * KEY_ENCRYPTION_KEYS. `context` binds both to their row: sealed text that is moved to another
 * user's row does not open.
 *
 * Form: `v1.<key-encryption key id>.<wrapped data key>.<sealed key>`, each part IV, ciphertext and
 * 16-byte tag, in base64url.
 */
export function seal(secret: Uint8Array, context: string): string {
  const { id, key } = currentKey();
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const wrapped = encrypt(key, dataKey, dataKeyContext(context, id));
  const sealed = encrypt(dataKey, secret, context);
  dataKey.fill(0);
  return [VERSION, id, wrapped, sealed].join(".");
}

/** Opens a sealed secret for as long as `use` runs, and wipes it afterwards. */
export async function withSecret<T>(
  sealed: string,
  context: string,
  use: (secret: Buffer) => Promise<T>,
): Promise<T> {
  const dataKey = openDataKey(sealed, context);
  let secret: Buffer | null = null;
  try {
    secret = decrypt(dataKey, partsOf(sealed).body, context);
    return await use(secret);
  } finally {
    secret?.fill(0);
    dataKey.fill(0);
  }
}

/** Wraps the data key of a sealed secret under another key. The secret itself is not touched. */
export function rewrap(sealed: string, context: string, toKeyId: string): string {
  const { key } = keyOf(toKeyId);
  const dataKey = openDataKey(sealed, context);
  const wrapped = encrypt(key, dataKey, dataKeyContext(context, toKeyId));
  dataKey.fill(0);
  return [VERSION, toKeyId, wrapped, partsOf(sealed).body].join(".");
}

/** The id of the key-encryption key that a sealed secret needs. */
export function keyIdOf(sealed: string): string {
  return partsOf(sealed).keyId;
}

function openDataKey(sealed: string, context: string): Buffer {
  const { keyId, wrapped } = partsOf(sealed);
  return decrypt(keyOf(keyId).key, wrapped, dataKeyContext(context, keyId));
}

function partsOf(sealed: string): { keyId: string; wrapped: string; body: string } {
  const [version, keyId, wrapped, body, ...rest] = sealed.split(".");
  if (version !== VERSION || !keyId || !wrapped || !body || rest.length > 0) {
    throw new Error("a sealed secret is not of the known form");
  }
  return { keyId, wrapped, body };
}
