import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  deleteSandboxKey,
  insertSandboxKey,
  selectKeysOfOwner,
  selectSandboxKey,
} from "@/lib/db/queries/sandbox-keys";
import { ensureAccount, walletFor } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { type Credentials, credentialsOf } from "@/lib/sandbox/credentials";
import { SandboxError } from "@/lib/sandbox/error";

interface Claim {
  owner: string;
  nonce: string;
}

/** `POST /auth/api-key`: a key that is there already is refused, as at the venue. */
export async function createSandboxKey({ owner, nonce }: Claim): Promise<Credentials> {
  const credentials = credentialsOf(owner, nonce);
  const row = { id: credentials.apiKey, owner, nonce, createdAt: new Date(now()) };
  const isNew = await insertSandboxKey(await getDb(), row);
  if (!isNew) throw new SandboxError(400, "Could not create api key");
  // The wallets that new accounts trade from are funded when their owner is first seen.
  await ensureAccount(owner);
  await ensureAccount(walletFor(owner, 3));
  return credentials;
}

/** `GET /auth/derive-api-key`: the same credentials again. */
export async function deriveSandboxKey({ owner, nonce }: Claim): Promise<Credentials> {
  const credentials = credentialsOf(owner, nonce);
  const row = await selectSandboxKey(await getDb(), credentials.apiKey);
  if (!row || row.deletedAt !== null) throw new SandboxError(400, "Could not derive api key!");
  return credentials;
}

export async function listSandboxKeys({ owner }: SandboxCaller): Promise<{ apiKeys: string[] }> {
  const rows = await selectKeysOfOwner(await getDb(), owner);
  return { apiKeys: rows.map(({ id }) => id) };
}

export async function removeSandboxKey({ apiKey }: SandboxCaller): Promise<string> {
  await deleteSandboxKey(await getDb(), apiKey, new Date(now()));
  return "OK";
}
