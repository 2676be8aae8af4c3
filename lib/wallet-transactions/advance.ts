import "server-only";
import { getDb } from "@/lib/db/client";
import {
  selectDueTransactions,
  type TransactionState,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { isOpen } from "@/lib/domain/wallet-transaction";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import {
  readLeased,
  recordStep,
  type StepResult,
  TransactionLeaseLost,
} from "@/lib/wallet-transactions/change";
import { followStep } from "@/lib/wallet-transactions/follow-step";
import { type StepLease, withTransactionLease } from "@/lib/wallet-transactions/lease";
import { resolveStep } from "@/lib/wallet-transactions/resolve-step";
import { signStep } from "@/lib/wallet-transactions/sign-step";
import { submitStep } from "@/lib/wallet-transactions/submit-step";

/** Number of transactions that one pass advances. */
const MAX_DUE = 200;
/** Number of transactions that are advanced concurrently. */
const AT_ONCE = 8;
/** Wait after a failed step. */
const RETRY_MS = 5_000;
/** A transaction has fewer steps, unless it is refused again and again. */
const MAX_STEPS = 12;

/**
 * Advances a transaction as far as it goes now: signs it, sends it, and finds out its outcome. Any
 * number of processes may call it; one at a time holds the transaction's lease.
 *
 * @returns the transaction afterwards; null if another process works on it, or it is closed.
 */
export function advance(id: string): Promise<WalletTransactionRow | null> {
  return withTransactionLease(id, (lease) => runSteps(id, lease));
}

/** Runs steps until one has to wait. A failed step is repeated later. */
async function runSteps(id: string, lease: StepLease): Promise<WalletTransactionRow> {
  let state = await readLeased(id, lease.until);
  for (let steps = 0; steps < MAX_STEPS && isOpen(state.transaction.status); steps += 1) {
    const next = await runStep(state, lease).catch((error: unknown) => park(id, lease, error));
    state = next;
    if (next.waits) break;
  }
  return state.transaction;
}

/** Records that a step failed. Nothing else changed: each step records what it sent. */
function park(id: string, lease: StepLease, error: unknown): Promise<StepResult> {
  if (error instanceof TransactionLeaseLost) throw error;
  log.warn("wallet transaction not advanced", { transactionId: id, ...errorFields(error) });
  const isUpstream = error instanceof AppError && error.code.startsWith("UPSTREAM_");
  return recordStep(id, lease.until, ({ transaction }) => ({
    status: transaction.status,
    waitReason: isUpstream ? "no_response" : transaction.waitReason,
    dueInMs: RETRY_MS,
  }));
}

function runStep(state: TransactionState, lease: StepLease): Promise<StepResult> {
  switch (state.transaction.status) {
    case "waiting":
      return signStep(state, lease);
    case "signed":
      return submitStep(state, lease);
    case "submitting":
    case "unknown":
      return resolveStep(state, lease);
    default:
      return followStep(state, lease);
  }
}

/** Advances every transaction that is due. */
export async function advanceDue(): Promise<void> {
  const due = await selectDueTransactions(await getDb(), MAX_DUE);
  const work = async () => {
    for (let id = due.shift(); id !== undefined; id = due.shift()) {
      try {
        await advance(id);
      } catch (error) {
        log.error("wallet transaction not advanced", { transactionId: id, ...errorFields(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Starts the job that advances transactions until they are confirmed or have failed. */
export function startWalletTransactions(): StopJob {
  const everyMs = env().RECONCILE_TICK_MS;
  return startJob({ name: "wallet transactions", everyMs, startsNow: true }, advanceDue);
}
