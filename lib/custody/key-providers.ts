import "server-only";
import { awsKms } from "@/lib/custody/aws-kms";
import { environmentKeys } from "@/lib/custody/environment-keys";
import type { KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";

const PROVIDERS: readonly KeyProvider[] = [environmentKeys, awsKms];

/** A key-encryption key: its provider and its id there. */
export interface KeyName {
  provider: KeyProvider;
  keyId: string;
}

/** Returns the key that wraps new secrets: the first one of KEY_PROVIDER. */
export function findCurrentKey(): KeyName {
  const provider = PROVIDERS.find(({ id }) => id === env().KEY_PROVIDER);
  const [keyId] = provider?.keyIds() ?? [];
  assert(provider && keyId, "the environment names a key provider and a key of it");
  return { provider, keyId };
}

/** Finds a key by id in any provider. Throws if none has it. */
export function findKey(keyId: string): KeyName {
  const provider = PROVIDERS.find((candidate) => candidate.keyIds().includes(keyId));
  if (!provider) throw new Error(`the environment does not contain the key "${keyId}"`);
  return { provider, keyId };
}

/** Finds the provider that a sealed text names. */
export function findProvider(id: string): KeyProvider {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  if (!provider) throw new Error("a sealed secret has an unknown form");
  return provider;
}
