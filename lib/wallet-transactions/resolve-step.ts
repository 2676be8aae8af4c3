import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import type {
  SignedTransactionRow,
  TransactionState,
  WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { assert } from "@/lib/errors";
import { log } from "@/lib/log";
import type { ExecutionProof, RelayedTransaction, RelayedWallet } from "@/lib/venue/wallet-relay";
import { walletRelay } from "@/lib/venues";
import { recordStep, type StepChange, type StepResult } from "@/lib/wallet-transactions/change";
import type { StepLease } from "@/lib/wallet-transactions/lease";
import { settle } from "@/lib/wallet-transactions/settle";
import { buildMetadata, findAction } from "@/lib/wallet-transactions/sign-step";
import {
  describeFailure,
  dropForm,
  hasExpired,
  submitForm,
} from "@/lib/wallet-transactions/submit-step";

/** Wait while nothing proves the outcome. */
const UNPROVED_MS = 15_000;

/**
 * Finds out whether a form that was sent has happened: by the relayer's list, then by the wallet's
 * nonce. While the nonce is unused and the deadline has not passed, sends the same bytes again.
 */
export async function resolveStep(state: TransactionState, lease: StepLease): Promise<StepResult> {
  const { transaction, signed } = state;
  assert(signed, "a transaction that was sent has a signed form");
  const { id, userId } = transaction;
  // The process that sent it has stopped before it recorded the response.
  if (transaction.status === "submitting") {
    const form = { isAmbiguous: true };
    return recordStep(id, lease.until, () => ({ status: "unknown", form }));
  }
  const wallet = await selectLiveWallet(await getDb(), userId);
  assert(wallet, "a wallet is not removed while it has open transactions");
  const relay = walletRelay();
  const uses = await relay.findByNonce(wallet, signed.nonce);
  const own = uses.filter(({ metadata }) => metadata === buildMetadata(id, signed.attempt));
  // The relayer may list several submissions of the same bytes, of which one can happen.
  const accepted =
    own.find(({ state: end }) => end === "confirmed") ??
    own.find(({ state: end }) => end === "pending");
  if (accepted) {
    const { relayerId, transactionHash } = accepted;
    const form = { relayerId, transactionHash };
    return recordStep(id, lease.until, () => ({ status: "submitted", form }));
  }
  // Another transaction used the nonce, so this one can never happen.
  if (uses.some(({ state: end }) => end === "confirmed")) {
    return recordStep(id, lease.until, dropForm);
  }
  const { nonce } = await relay.getNonce(wallet);
  if (nonce > signed.nonce) return resolveUsed(state, lease, wallet);
  if (hasExpired(signed)) return recordStep(id, lease.until, dropForm);
  const [failed] = own;
  if (!failed) return submitForm(id, signed, lease);
  return recordStep(id, lease.until, () => judgeListedFailure(signed, failed));
}

/**
 * The only submission that the relayer lists has failed, and the nonce is unused. One that it does not
 * list could happen until the deadline. A form without a deadline is not sent again to fail again.
 */
const judgeListedFailure = (
  { deadline }: SignedTransactionRow,
  { error }: RelayedTransaction,
): StepChange =>
  deadline === null
    ? { status: "failed", failure: describeFailure(error) }
    : { status: "unknown", dueInMs: UNPROVED_MS };

/**
 * The nonce is used, and the relayer does not say by which transaction. A claim has happened if its
 * shares are gone, and approvals if none is missing. Otherwise the chain's transfers decide. While they
 * decide nothing, the transaction stays unknown, and the operator can settle it.
 */
async function resolveUsed(
  state: TransactionState,
  lease: StepLease,
  wallet: RelayedWallet,
): Promise<StepResult> {
  const { transaction } = state;
  const proof = (await proveByHoldings(transaction, wallet)) ?? (await proveByChain(state, wallet));
  switch (proof.outcome) {
    case "executed":
      return settle(state, lease, proof.transactionHash);
    case "not_executed":
      return recordStep(transaction.id, lease.until, dropForm);
    case "undecided": {
      log.warn("wallet transaction unproved", { transactionId: transaction.id });
      const wait = { status: "unknown", waitReason: "unproved", dueInMs: UNPROVED_MS } as const;
      return recordStep(transaction.id, lease.until, () => wait);
    }
  }
}

/** Returns what the wallet's holdings and approvals prove; null if that is nothing. */
async function proveByHoldings(
  transaction: WalletTransactionRow,
  wallet: RelayedWallet,
): Promise<Exclude<ExecutionProof, { outcome: "undecided" }> | Unhashed | null> {
  // A split or merge of the same size by another program leaves the same holdings.
  if (transaction.kind === "split" || transaction.kind === "merge") return null;
  const action = await findAction(transaction);
  const prepared = action && (await walletRelay().prepare(wallet, action));
  if (prepared?.outcome === "nothing_to_do") return { outcome: "executed", transactionHash: null };
  return prepared?.outcome === "ready" ? { outcome: "not_executed" } : null;
}

/** A transaction that has happened, by an unknown transaction of the chain. */
type Unhashed = { outcome: "executed"; transactionHash: null };

async function proveByChain(
  { transaction, signed }: TransactionState,
  wallet: RelayedWallet,
): Promise<ExecutionProof> {
  const { kind, marketId, shares, waitReason, updatedAt } = transaction;
  if (kind === "approve") return { outcome: "undecided" };
  assert(signed && marketId !== null, "a claim, split or merge that was sent has a market");
  const [market] = await selectMarketRows(await getDb(), [marketId]);
  assert(market, "the market of a transaction is recorded with it");
  const { protocol, firstToken, secondToken } = market;
  return walletRelay().proveExecution(
    wallet,
    { kind, protocol, tokenIds: [firstToken, secondToken], shares },
    {
      body: signed.body,
      signedAt: signed.createdAt,
      // The row has had this reason since the nonce was seen used.
      usedSince: waitReason === "unproved" ? updatedAt : null,
    },
  );
}
