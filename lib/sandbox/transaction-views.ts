import "server-only";
import { createHash } from "node:crypto";
import { getAddress } from "ethers";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type RelayedTransaction,
  selectTransaction,
  selectTransactionsOfKey,
} from "@/lib/db/queries/sandbox-transactions";
import { SandboxError } from "@/lib/sandbox/error";
import type { RelayerCaller } from "@/lib/sandbox/relayer-auth";
import { settleWallet } from "@/lib/sandbox/settle-wallet";

const MAX_LISTED = 100;

type State = "STATE_NEW" | "STATE_EXECUTED" | "STATE_MINED" | "STATE_CONFIRMED" | "STATE_FAILED";

/** Serves `GET /v1/account/transactions/{id}`. */
export async function readTransaction(id: string) {
  const row = await findSettled(id);
  if (!row) throw new SandboxError(404, "transaction not found");
  const { state, transactionHash } = toOldView(row);
  return {
    transaction_id: row.id,
    transaction_hash: transactionHash,
    state,
    error_msg: state === "STATE_FAILED" ? row.error : "",
  };
}

/** Serves `GET /transaction?id=` of the older client: a list of at most one. */
export async function readOldTransaction(query: URLSearchParams) {
  const row = await findSettled(query.get("id") ?? "");
  return row ? [toOldView(row)] : [];
}

/** Serves `GET /transactions`: the newest that the caller's key submitted. */
export async function listTransactions({ keyId }: RelayerCaller) {
  const db = await getDb();
  const rows = await selectTransactionsOfKey(db, keyId, MAX_LISTED);
  for (const wallet of new Set(rows.map((row) => row.wallet))) await settleWallet(wallet);
  return (await selectTransactionsOfKey(db, keyId, MAX_LISTED)).map(toOldView);
}

async function findSettled(id: string): Promise<RelayedTransaction | null> {
  const db = await getDb();
  const row = await selectTransaction(db, id);
  if (!row) return null;
  await settleWallet(row.wallet);
  return selectTransaction(db, id);
}

/** Returns the hash on the chain. The database computes the same one. */
export const hashTransaction = (id: string): string =>
  `0x${createHash("sha256").update(id).digest("hex")}`;

/** Renders a transaction for the older client. */
export function toOldView(row: RelayedTransaction) {
  const state = getState(row);
  return {
    transactionID: row.id,
    transactionHash: state === "STATE_NEW" ? "" : hashTransaction(row.id),
    from: row.sender,
    proxyAddress: getAddress(row.wallet),
    nonce: row.nonce === null ? "" : String(row.nonce),
    value: "0",
    state,
    type: row.type,
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    updatedAt: (row.appliedAt ?? row.createdAt).toISOString(),
  };
}

/** The state by time. Sent means executed; the calls take effect when it is mined. */
function getState(row: RelayedTransaction): State {
  const at = now();
  const [minedAt, confirmedAt] = [row.minedAt.getTime(), row.confirmedAt.getTime()];
  const sentAt = (row.createdAt.getTime() + minedAt) / 2;
  if (at < sentAt) return "STATE_NEW";
  if (at < minedAt) return "STATE_EXECUTED";
  if (row.error !== null) return "STATE_FAILED";
  if (row.appliedAt === null) return "STATE_EXECUTED";
  return at < confirmedAt ? "STATE_MINED" : "STATE_CONFIRMED";
}
