import "server-only";
import { createHmac } from "node:crypto";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  deleteSandboxKey,
  insertSandboxKey,
  selectKeysOfOwner,
  selectSandboxKey,
} from "@/lib/db/queries/sandbox-keys";
import { env } from "@/lib/env";
import { deriveWallet, findAccount } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";

/** The three parts of an API key that a client stores. */
export interface Credentials {
  apiKey: string;
  secret: string;
  passphrase: string;
}

interface KeyRequest {
  owner: string;
  nonce: string;
}

/** Serves `POST /auth/api-key`. Refuses a key that exists, as the venue does. */
export async function createSandboxKey({ owner, nonce }: KeyRequest): Promise<Credentials> {
  const credentials = deriveCredentials(owner, nonce);
  const row = { id: credentials.apiKey, owner, nonce, createdAt: new Date(now()) };
  const isNew = await insertSandboxKey(await getDb(), row);
  if (!isNew) throw new SandboxError(400, "Could not create api key");
  // Funds the two wallets that new accounts trade from, unless strict rules leave that to the relayer.
  await findAccount(owner);
  await findAccount(deriveWallet(owner, 3));
  return credentials;
}

/** Serves `GET /auth/derive-api-key`: returns the credentials of an existing key again. */
export async function deriveSandboxKey({ owner, nonce }: KeyRequest): Promise<Credentials> {
  const credentials = deriveCredentials(owner, nonce);
  const row = await selectSandboxKey(await getDb(), credentials.apiKey);
  if (!row || row.deletedAt !== null) throw new SandboxError(400, "Could not derive api key!");
  return credentials;
}

export async function listSandboxKeys({
  owner,
}: {
  owner: string;
}): Promise<{ apiKeys: string[] }> {
  const rows = await selectKeysOfOwner(await getDb(), owner);
  return { apiKeys: rows.map(({ id }) => id) };
}

export async function removeSandboxKey({ apiKey }: { apiKey: string }): Promise<string> {
  await deleteSandboxKey(await getDb(), apiKey, new Date(now()));
  return "OK";
}

/**
 * Derives the credentials of an owner and a nonce from both and the service's pepper. The result is
 * always the same, as at the venue, so secrets are not stored.
 */
export function deriveCredentials(owner: string, nonce: string): Credentials {
  const part = (name: string) =>
    createHmac("sha256", env().API_KEY_PEPPER)
      .update(`sandbox/${name}/${owner.toLowerCase()}/${nonce}`)
      .digest();
  return {
    apiKey: toUuid(part("key")),
    secret: `${part("secret").toString("base64url")}=`,
    passphrase: part("passphrase").toString("hex"),
  };
}

/** Formats the first 16 bytes as a version 4 UUID. */
function toUuid(bytes: Buffer): string {
  const hex = bytes.subarray(0, 16).toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
