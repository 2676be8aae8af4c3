import "server-only";
import { randomBytes } from "node:crypto";
import { currentKey } from "@/lib/custody/key-providers";
import { keyNameOf } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallets } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";

const BATCH = 200;
const PROBE_BYTES = 32;

/**
 * Refuses to start a service that trades live and could not keep or use its keys. Throws with what
 * is wrong and what to do about it. Without live trading nothing is asked.
 */
export async function checkCustody(): Promise<void> {
  if (!env().VENUES.includes("polymarket")) return;
  if (env().DATABASE_URL === undefined && !env().ALLOW_EMBEDDED_DB_FOR_LIVE) {
    throw refusal(
      "it needs DATABASE_URL, because the embedded database may lose the last writes with the power",
      "Name a Postgres server, or accept that with ALLOW_EMBEDDED_DB_FOR_LIVE=1.",
    );
  }
  await checkProvider();
  await checkStoredKeys();
}

/** Whether what is wrapped now comes back: the key works, and may be used both ways. */
async function checkProvider(): Promise<void> {
  const probe = randomBytes(PROBE_BYTES);
  const name = `the key provider ${env().KEY_PROVIDER}`;
  try {
    const { provider, keyId } = currentKey();
    const binding = { keyId, context: "start-up check" };
    const opened = await provider.unwrap(await provider.wrap(probe, binding), binding);
    if (!opened.equals(probe)) throw new Error("what it wrapped came back changed");
  } catch (error) {
    throw refusal(
      `${name} cannot be used (${reasonOf(error)})`,
      "Check its settings, its permissions to encrypt and to decrypt, and the way to it.",
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
    const name = nameOf(sealed, userId);
    if (name.provider.keyIds().includes(name.keyId)) continue;
    throw refusal(
      `the live wallet of ${userId} is sealed under the ${name.provider.id} key "${name.keyId}", which is not configured`,
      "Put that key back until keys:rotate has brought every wallet under another.",
    );
  }
}

function nameOf(sealed: string, userId: string) {
  try {
    return keyNameOf(sealed);
  } catch {
    throw refusal(
      `what is stored of the live wallet of ${userId} is not a sealed secret`,
      "The row was changed by something else; restore it, or delete it and import the wallet again.",
    );
  }
}

/** The name of the failure, without anything that a key service said. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

const refusal = (what: string, remedy: string) =>
  new Error(`live trading cannot start: ${what}. ${remedy}`);
