import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import type { SignedTransactionRow, TransactionState } from "@/lib/db/queries/wallet-transactions";
import { assert } from "@/lib/errors";
import { walletRelay } from "@/lib/venues";
import { recordStep, type StepChange, type StepResult } from "@/lib/wallet-transactions/change";
import type { StepLease } from "@/lib/wallet-transactions/lease";
import { settle } from "@/lib/wallet-transactions/settle";
import {
  describeFailure,
  dropForm,
  hasExpired,
  POLL_MS,
} from "@/lib/wallet-transactions/submit-step";

/** A transaction that is older is polled less often. */
const SOON_MS = 60_000;
const LATER_POLL_MS = 10_000;

/** Follows a transaction that the relayer accepted until it is final. */
export async function followStep(state: TransactionState, lease: StepLease): Promise<StepResult> {
  const { transaction, signed } = state;
  assert(signed?.relayerId, "a submitted transaction has the relayer's id");
  const found = await walletRelay().getTransaction(signed.relayerId);
  if (found?.state === "confirmed") return settle(state, lease, found.transactionHash);
  if (found?.state === "failed") {
    return recordStep(transaction.id, lease.until, () => judgeFailure(signed, found.error));
  }
  if (hasExpired(signed) && (await isNonceUnused(state))) {
    return recordStep(transaction.id, lease.until, dropForm);
  }
  const age = now() - signed.createdAt.getTime();
  // The relayer has forgotten it, so its list, the nonce and the chain decide.
  if (!found && age > SOON_MS) {
    const form = { isAmbiguous: true, relayerId: null };
    const change = { status: "unknown", form, dueInMs: LATER_POLL_MS } as const;
    return recordStep(transaction.id, lease.until, () => change);
  }
  const hash = found?.transactionHash ?? signed.transactionHash;
  const wait: StepChange = {
    status: "submitted",
    form: { transactionHash: hash },
    dueInMs: age < SOON_MS ? POLL_MS : LATER_POLL_MS,
  };
  return recordStep(transaction.id, lease.until, () => wait);
}

/**
 * Decides what a failure proves. If the same bytes were sent before and their response was lost, the
 * relayer may have accepted them twice: then the failed one says nothing about the other one.
 */
function judgeFailure({ isAmbiguous }: SignedTransactionRow, error: string | null): StepChange {
  return isAmbiguous
    ? { status: "unknown", form: { relayerId: null }, dueInMs: POLL_MS }
    : { status: "failed", failure: describeFailure(error) };
}

/** Whether the wallet has not used the nonce of the last form. */
async function isNonceUnused({ transaction, signed }: TransactionState): Promise<boolean> {
  const wallet = await selectLiveWallet(await getDb(), transaction.userId);
  assert(wallet && signed, "a wallet is not removed while it has open transactions");
  const { nonce } = await walletRelay().getNonce(wallet);
  return nonce <= signed.nonce;
}
