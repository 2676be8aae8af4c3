import "server-only";
import { awsKms } from "@/lib/custody/aws-kms";
import { environmentKeys } from "@/lib/custody/environment-keys";
import type { KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";

const PROVIDERS: readonly KeyProvider[] = [environmentKeys, awsKms];

/** A key-encryption key: which provider has it, and what it is called there. */
export interface KeyName {
  provider: KeyProvider;
  keyId: string;
}

/** The key that new secrets are wrapped under: the first one of KEY_PROVIDER. */
export function currentKey(): KeyName {
  const provider = PROVIDERS.find(({ id }) => id === env().KEY_PROVIDER);
  const [keyId] = provider?.keyIds() ?? [];
  assert(provider && keyId, "the environment names a key provider and a key of it");
  return { provider, keyId };
}

/** The key of that id, whichever provider has it. Throws when none does. */
export function findKey(keyId: string): KeyName {
  const provider = PROVIDERS.find((candidate) => candidate.keyIds().includes(keyId));
  if (!provider) throw new Error(`the environment does not hold the key "${keyId}"`);
  return { provider, keyId };
}

/** The provider that a sealed text names. */
export function providerOf(id: string): KeyProvider {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  if (!provider) throw new Error("a sealed secret is not of the known form");
  return provider;
}
