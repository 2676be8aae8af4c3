import "server-only";
import { now } from "@/lib/clock";
import type { SignedTransactionRow, TransactionState } from "@/lib/db/queries/wallet-transactions";
import { assert } from "@/lib/errors";
import { log } from "@/lib/log";
import type { RelaySubmission } from "@/lib/venue/wallet-relay";
import { walletRelay } from "@/lib/venues";
import { recordStep, type StepChange, type StepResult } from "@/lib/wallet-transactions/change";
import { findFreeze } from "@/lib/wallet-transactions/find-freeze";
import type { StepLease } from "@/lib/wallet-transactions/lease";

/** The official client polls at this interval. */
export const POLL_MS = 2_000;
const BUSY_MS = 5_000;
const FROZEN_MS = 30_000;
const NO_RESPONSE_MS = 5_000;
const NOT_AUTHORIZED_MS = 60_000;
/** The lifetime of a signed form, as in the official client. */
export const LIFETIME_SECONDS = 600;
/** The clocks of this host, the relayer and the chain differ by less. */
const DEADLINE_MARGIN_MS = 30_000;

/** Sends a signed form that was not accepted so far. */
export async function submitStep(state: TransactionState, lease: StepLease): Promise<StepResult> {
  const { transaction, signed } = state;
  assert(signed, "a signed transaction has a signed form");
  if (isTooOld(signed)) return recordStep(transaction.id, lease.until, dropForm);
  // The first submission under a freeze would be something new.
  if (await findFreeze(transaction)) {
    const wait = { status: "signed", waitReason: "frozen", dueInMs: FROZEN_MS } as const;
    return recordStep(transaction.id, lease.until, () => wait);
  }
  return submitForm(transaction.id, signed, lease);
}

/** Sends the stored bytes once and records what the response proves. */
export async function submitForm(
  id: string,
  { body }: SignedTransactionRow,
  lease: StepLease,
): Promise<StepResult> {
  await recordStep(id, lease.until, () => ({ status: "submitting" }));
  const result = await walletRelay().submit(body, lease.posting);
  if (result.outcome === "not_authorized") {
    log.error("the relayer does not accept the builder credentials", { transactionId: id });
  }
  return recordStep(id, lease.until, (state) => judge(state, result));
}

/** Decides what a response proves. After an ambiguous one, no refusal proves anything. */
function judge(state: TransactionState, result: RelaySubmission): StepChange {
  if (result.outcome === "accepted") {
    const { relayerId, transactionHash } = result;
    return { status: "submitted", form: { relayerId, transactionHash }, dueInMs: POLL_MS };
  }
  if (result.outcome === "unknown") {
    return { status: "unknown", form: { isAmbiguous: true }, dueInMs: POLL_MS };
  }
  const refused = judgeRefusal(result);
  if (!state.signed?.isAmbiguous) return refused;
  const { waitReason = null, dueInMs = 0 } = refused;
  return { status: "unknown", waitReason, dueInMs: Math.max(dueInMs, POLL_MS) };
}

function judgeRefusal(
  result: Exclude<RelaySubmission, { outcome: "accepted" | "unknown" }>,
): StepChange {
  switch (result.outcome) {
    case "busy":
      return { status: "signed", waitReason: "wallet_busy", dueInMs: BUSY_MS };
    case "quota":
      return { status: "signed", waitReason: "quota", dueInMs: result.retryAfterMs };
    case "stale_nonce":
      // By another transaction, or by these bytes: a proxy may have delivered them twice.
      return { status: "unknown", form: { isAmbiguous: true }, dueInMs: POLL_MS };
    case "not_authorized":
      return { status: "signed", waitReason: "not_authorized", dueInMs: NOT_AUTHORIZED_MS };
    case "not_sent":
      return { status: "signed", waitReason: "no_response", dueInMs: NO_RESPONSE_MS };
    case "refused":
      return { status: "failed", failure: result.message };
  }
}

/** Says that a transaction failed on the chain, with the relayer's reason. */
export function describeFailure(error: string | null): string {
  const reason = error === null ? "" : `: ${error.slice(0, 200)}`;
  return `The transaction failed on the chain${reason}. Nothing changed.`;
}

/**
 * Whether a form that was not accepted so far is not sent any more. The same holds without a deadline:
 * its owner does not expect it to happen days later.
 */
const isTooOld = ({ createdAt }: SignedTransactionRow): boolean =>
  now() > createdAt.getTime() + LIFETIME_SECONDS * 1_000;

/** Whether the wallet refuses a form by now. A form without a deadline never expires. */
export function hasExpired({ deadline }: SignedTransactionRow): boolean {
  return deadline !== null && now() > deadline.getTime() + DEADLINE_MARGIN_MS;
}

/** The time before which a deadline has surely passed. */
export const computeExpired = (): Date => new Date(now() - DEADLINE_MARGIN_MS);

/**
 * Gives up a form that is proved never to happen. A claim is signed again, because it has no price that
 * ages. The owner decides whether to repeat anything else.
 */
export function dropForm({ transaction }: TransactionState): StepChange {
  return transaction.kind === "redeem"
    ? { status: "waiting" }
    : {
        status: "failed",
        failure: "Polymarket's relayer did not execute it in time. Nothing changed. Try again.",
      };
}
