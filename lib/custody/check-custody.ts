import "server-only";
import { randomBytes } from "node:crypto";
import { findCurrentKey } from "@/lib/custody/key-providers";
import { parseKeyName } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallets } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";

const BATCH = 200;
const PROBE_BYTES = 32;

/**
 * Checks at start that a service with live trading can store and use its keys. Throws an error with
 * the problem and its fix. Does nothing without live trading.
 */
export async function checkCustody(): Promise<void> {
  if (!env().VENUES.includes("polymarket")) return;
  if (env().DATABASE_URL === undefined && !env().ALLOW_EMBEDDED_DB_FOR_LIVE) {
    throw refusal(
      "it needs DATABASE_URL, because the embedded database can lose the last writes in a power failure",
      "Set DATABASE_URL to a Postgres server, or accept the risk with ALLOW_EMBEDDED_DB_FOR_LIVE=1.",
    );
  }
  await checkProvider();
  await checkStoredKeys();
}

/** Wraps and unwraps a probe, which needs a working key with both permissions. */
async function checkProvider(): Promise<void> {
  const probe = randomBytes(PROBE_BYTES);
  const name = `the key provider ${env().KEY_PROVIDER}`;
  try {
    const { provider, keyId } = findCurrentKey();
    const binding = { keyId, context: "start-up check" };
    const opened = await provider.unwrap(await provider.wrap(probe, binding), binding);
    if (!opened.equals(probe)) throw new Error("a wrapped probe came back changed");
  } catch (error) {
    throw refusal(
      `${name} cannot be used (${findReason(error)})`,
      "Check its settings, its permissions to encrypt and decrypt, and the network.",
    );
  }
}

async function checkStoredKeys(): Promise<void> {
  const db = await getDb();
  let after: string | undefined = "";
  while (after !== undefined) {
    const rows: LiveWalletRow[] = await selectLiveWallets(db, after, BATCH);
    for (const row of rows) assertUsable(row);
    after = rows.length < BATCH ? undefined : rows.at(-1)?.userId;
  }
}

function assertUsable({ userId, sealedKey, sealedCredentials }: LiveWalletRow): void {
  for (const sealed of [sealedKey, sealedCredentials]) {
    if (sealed === null) continue;
    const name = readKeyName(sealed, userId);
    if (name.provider.keyIds().includes(name.keyId)) continue;
    throw refusal(
      `the live wallet of ${userId} is sealed under the ${name.provider.id} key "${name.keyId}", which is not configured`,
      "Restore that key until keys:rotate has moved every wallet to another one.",
    );
  }
}

function readKeyName(sealed: string, userId: string) {
  try {
    return parseKeyName(sealed);
  } catch {
    throw refusal(
      `the stored key of the live wallet of ${userId} is not a sealed secret`,
      "The row was changed from outside. Restore it, or delete it and import the wallet again.",
    );
  }
}

/** Returns the error's message or that of its cause, which contains no details of a key service. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

const refusal = (what: string, remedy: string) =>
  new Error(`live trading cannot start: ${what}. ${remedy}`);
