import "server-only";
import { randomBytes } from "node:crypto";
import { decrypt, encrypt } from "@/lib/custody/aes-gcm";
import { findCurrentKey, findKey, type KeyName, findProvider } from "@/lib/custody/key-providers";

const VERSION = "v2";
/** Secrets from before there were providers. They use the environment's keys. */
const VERSION_WITHOUT_PROVIDER = "v1";
const DATA_KEY_BYTES = 32;

/**
 * Encrypts a secret under a fresh data key, and the data key under the provider's current key.
 * `context` binds both to their row: a sealed text in another row cannot be opened.
 *
 * Form: `v2.<provider>.<key-encryption key id>.<wrapped data key>.<sealed secret>`. The sealed
 * secret, and a data key that the environment's keys wrapped, is IV, ciphertext and 16-byte tag.
 * Bytes are base64url.
 */
export async function seal(secret: Uint8Array, context: string): Promise<string> {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const body = encrypt(dataKey, secret, context);
    return await assemble(findCurrentKey(), { dataKey, body, context });
  } finally {
    dataKey.fill(0);
  }
}

/** Opens a sealed secret while `use` runs, then wipes it. */
export async function withSecret<T>(
  sealed: string,
  context: string,
  use: (secret: Buffer) => Promise<T>,
): Promise<T> {
  const parts = parseSealed(sealed);
  const dataKey = await openDataKey(parts, context);
  let secret: Buffer | null = null;
  try {
    secret = decrypt(dataKey, parts.body, context);
    return await use(secret);
  } finally {
    secret?.fill(0);
    dataKey.fill(0);
  }
}

/** Wraps the data key of a sealed secret with another key. The secret itself does not change. */
export async function rewrap(sealed: string, context: string, toKeyId: string): Promise<string> {
  const to = findKey(toKeyId);
  const parts = parseSealed(sealed);
  const dataKey = await openDataKey(parts, context);
  try {
    return await assemble(to, { dataKey, body: parts.body, context });
  } finally {
    dataKey.fill(0);
  }
}

/** Parses which key-encryption key a sealed secret needs. Throws for an unknown provider. */
export function parseKeyName(sealed: string): KeyName {
  const { provider, keyId } = parseSealed(sealed);
  return { provider, keyId };
}

interface SealedParts extends KeyName {
  wrapped: Buffer;
  body: Buffer;
}

async function assemble(
  { provider, keyId }: KeyName,
  { dataKey, body, context }: { dataKey: Buffer; body: Buffer; context: string },
): Promise<string> {
  const wrapped = await provider.wrap(dataKey, { keyId, context });
  const bytes = [wrapped, body].map((part) => part.toString("base64url"));
  return [VERSION, provider.id, keyId, ...bytes].join(".");
}

async function openDataKey(
  { provider, keyId, wrapped }: SealedParts,
  context: string,
): Promise<Buffer> {
  const dataKey = await provider.unwrap(wrapped, { keyId, context });
  if (dataKey.length === DATA_KEY_BYTES) return dataKey;
  dataKey.fill(0);
  throw new Error("a data key has an unknown length");
}

function parseSealed(sealed: string): SealedParts {
  const [version, ...given] = sealed.split(".");
  const named = version === VERSION_WITHOUT_PROVIDER ? ["environment", ...given] : given;
  const [providerId, keyId, wrapped, body, ...rest] = named;
  const isKnown = version === VERSION || version === VERSION_WITHOUT_PROVIDER;
  if (!isKnown || !providerId || !keyId || !wrapped || !body || rest.length > 0) {
    throw new Error("a sealed secret has an unknown form");
  }
  const provider = findProvider(providerId);
  return { provider, keyId, wrapped: decodeBase64(wrapped), body: decodeBase64(body) };
}

/** Decodes strictly, because Node skips characters that are not base64url. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) {
    throw new Error("a sealed secret has an unknown form");
  }
  return bytes;
}
