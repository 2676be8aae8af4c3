import "server-only";
import { decrypt, encrypt } from "@/lib/custody/envelope";
import type { Binding, KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";

/** The key-encryption keys of KEY_ENCRYPTION_KEYS, newest first. */
export const environmentKeys: KeyProvider = {
  id: "environment",
  keyIds: () => keyRing().map(({ id }) => id),
  wrap: async (dataKey, binding) => encrypt(keyOf(binding.keyId), dataKey, boundTo(binding)),
  unwrap: async (wrapped, binding) => decrypt(keyOf(binding.keyId), wrapped, boundTo(binding)),
};

const boundTo = ({ context, keyId }: Binding) => `${context}/data-key/${keyId}`;

function keyOf(id: string): Buffer {
  const found = keyRing().find((candidate) => candidate.id === id);
  if (!found) throw new Error(`KEY_ENCRYPTION_KEYS does not hold the key "${id}"`);
  return found.key;
}

function keyRing(): { id: string; key: Buffer }[] {
  return env()
    .KEY_ENCRYPTION_KEYS.split(",")
    .map((entry) => {
      const [id = "", encoded = ""] = entry.split(":");
      return { id, key: Buffer.from(encoded, "base64") };
    });
}
