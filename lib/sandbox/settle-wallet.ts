import "server-only";
import { getAddress } from "ethers";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  finishTransaction,
  incrementNonce,
  lockPending,
  markDeployed,
  type RelayedTransaction,
  selectDueTransactions,
  upsertApprovals,
} from "@/lib/db/queries/sandbox-transactions";
import { decodePositionCall } from "@/lib/polymarket/protocol/position-calls";
import { ensureAccount, toUserId } from "@/lib/sandbox/accounts";
import { planCalls } from "@/lib/sandbox/plan-calls";
import { type Approvals, readApprovals } from "@/lib/sandbox/wallet-approvals";
import { paperExchange } from "@/lib/venues";
import type { PositionChange, PositionRefusal } from "@/lib/venue/port";

/** The error of a transaction that X-Rehearse makes fail. */
export const SIMULATED_FAILURE = "execution reverted: simulated by X-Rehearse";

const REASONS: Record<PositionRefusal, string> = {
  insufficient_cash: "insufficient balance",
  insufficient_shares: "insufficient balance",
  not_resolved: "result for condition not received yet",
  resolved: "condition is resolved",
};

/**
 * Applies a wallet's transactions whose time has come: all calls of one, or none. Called before a
 * wallet's state is read, so that no process has to wake up for it. Each is applied once, however many
 * callers there are.
 */
export async function settleWallet(wallet: string): Promise<void> {
  const due = await selectDueTransactions(await getDb(), wallet, new Date(now()));
  for (const transaction of due) await settle(transaction);
}

async function settle(transaction: RelayedTransaction): Promise<void> {
  const { wallet } = transaction;
  // A wallet gets its paper money when it is deployed, a proxy wallet with its first transaction.
  await ensureAccount(getAddress(wallet));
  const approvals = await readApprovals(wallet);
  const calls = transaction.calls.map((call) => decodePositionCall({ ...call, value: 0n }));
  const plan = await planCalls(
    calls.filter((call) => call !== null),
    approvals,
  );
  if (plan.outcome === "reverted") return fail(transaction, plan.reason);
  if (plan.changes.length === 0) return applyApprovals(transaction, approvals);
  return applyChanges(transaction, approvals, plan.changes);
}

async function applyApprovals(
  transaction: RelayedTransaction,
  approvals: Approvals,
): Promise<void> {
  await withTransaction(async (tx) => {
    if (await lockPending(tx, transaction.id)) await record(tx, transaction, approvals);
  });
}

async function applyChanges(
  transaction: RelayedTransaction,
  approvals: Approvals,
  changes: readonly PositionChange[],
): Promise<void> {
  const result = await paperExchange().changePositions({
    id: transaction.id,
    userId: toUserId(transaction.wallet),
    keyId: transaction.keyId,
    changes,
    admit: (tx) => lockPending(tx, transaction.id),
    record: (tx) => record(tx, transaction, approvals),
  });
  if (result.outcome === "forbidden") await fail(transaction, result.refusal.message);
  if (result.outcome !== "refused") return;
  await fail(transaction, `execution reverted: ${REASONS[result.reason]}`);
}

async function record(
  tx: Tx,
  { id, wallet, nonce }: RelayedTransaction,
  approvals: Approvals,
): Promise<void> {
  const appliedAt = new Date(now());
  await upsertApprovals(tx, approvals.listRows());
  await markDeployed(tx, wallet, appliedAt);
  if (nonce !== null) await incrementNonce(tx, wallet);
  await finishTransaction(tx, id, { appliedAt });
}

async function fail({ id }: RelayedTransaction, error: string): Promise<void> {
  await withTransaction(async (tx) => {
    if (await lockPending(tx, id)) await finishTransaction(tx, id, { error });
  });
}
