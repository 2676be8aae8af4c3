import "server-only";
import { decrypt, encrypt } from "@/lib/custody/aes-gcm";
import type { Binding, KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";

/** Wraps data keys with the keys of KEY_ENCRYPTION_KEYS, newest first. */
export const environmentKeys: KeyProvider = {
  id: "environment",
  keyIds: () => parseKeys().map(({ id }) => id),
  wrap: async (dataKey, binding) => encrypt(findKey(binding.keyId), dataKey, toContext(binding)),
  unwrap: async (wrapped, binding) => decrypt(findKey(binding.keyId), wrapped, toContext(binding)),
};

const toContext = ({ context, keyId }: Binding) => `${context}/data-key/${keyId}`;

function findKey(id: string): Buffer {
  const found = parseKeys().find((candidate) => candidate.id === id);
  if (!found) throw new Error(`KEY_ENCRYPTION_KEYS does not contain the key "${id}"`);
  return found.key;
}

function parseKeys(): { id: string; key: Buffer }[] {
  return env()
    .KEY_ENCRYPTION_KEYS.split(",")
    .map((entry) => {
      const [id = "", encoded = ""] = entry.split(":");
      return { id, key: Buffer.from(encoded, "base64") };
    });
}
