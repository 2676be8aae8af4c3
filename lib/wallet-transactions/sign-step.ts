import "server-only";
import { now } from "@/lib/clock";
import type { CallPermit } from "@/lib/custody/call-policy";
import { signWalletTransaction } from "@/lib/custody/signer";
import { getDb } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { type LiveWalletRow, selectLiveWallet, toSessionKey } from "@/lib/db/queries/live-wallets";
import {
  isOtherInFlight,
  selectLastDeadline,
  type TransactionState,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { refuseExpiredKey } from "@/lib/domain/session-key";
import { assert } from "@/lib/errors";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { formatMicro, shares } from "@/lib/units";
import type { ClaimedPosition, PreparedAction, WalletAction } from "@/lib/venue/wallet-relay";
import { remoteVenue, walletRelay } from "@/lib/venues";
import { recordStep, type StepChange, type StepResult } from "@/lib/wallet-transactions/change";
import { findFreeze } from "@/lib/wallet-transactions/find-freeze";
import type { StepLease } from "@/lib/wallet-transactions/lease";
import { makeSplitOrMerge } from "@/lib/wallet-transactions/split-or-merge-action";
import { computeExpired, LIFETIME_SECONDS, POLL_MS } from "@/lib/wallet-transactions/submit-step";

const FROZEN_MS = 30_000;

type Prepared = Extract<PreparedAction, { outcome: "ready" }>;

/**
 * Signs a transaction and stores its bytes. Waits while another transaction of the wallet is in flight,
 * and while an earlier form could still use the wallet's nonce.
 */
export async function signStep(state: TransactionState, lease: StepLease): Promise<StepResult> {
  const { transaction } = state;
  const change = await decide(transaction);
  try {
    return await recordStep(transaction.id, lease.until, () => change);
  } catch (error) {
    // Another transaction of the wallet was signed at the same time.
    if (!isUniqueViolation(error)) throw error;
    return recordStep(transaction.id, lease.until, () => BUSY);
  }
}

const BUSY = { status: "waiting", waitReason: "wallet_busy", dueInMs: POLL_MS } as const;

async function decide(transaction: WalletTransactionRow): Promise<StepChange> {
  if (isTooOld(transaction)) {
    return fail("It could not be sent within 10 minutes. Nothing changed. Try again.");
  }
  const db = await getDb();
  const wallet = await selectLiveWallet(db, transaction.userId);
  if (wallet?.funderAddress !== transaction.wallet) {
    return fail("The wallet was removed from this server.");
  }
  const relay = walletRelay();
  const unavailable = relay.explainUnavailable(wallet.signatureType);
  if (unavailable !== null) return fail(unavailable);
  const expired = refuseExpiredKey(toSessionKey(wallet), now());
  if (expired) return fail(expired.message);
  const frozen = await findFreeze(transaction);
  if (frozen !== null) {
    if (transaction.kind !== "redeem") return fail(frozen);
    return { status: "waiting", waitReason: "frozen", dueInMs: FROZEN_MS };
  }
  if (await isOtherInFlight(db, transaction.userId, transaction.id)) return BUSY;
  const action = await findAction(transaction);
  if (!action) return fail("Polymarket doesn't list this market any more.");
  const { nonce, relay: relayAddress } = await relay.getNonce(wallet);
  const prepared = await relay.prepare(wallet, action);
  // Two forms of one nonce exclude each other, but only if both are known.
  const deadline = await selectLastDeadline(db, transaction, nonce, computeExpired());
  if (deadline) {
    const dueInMs = Math.max(POLL_MS, deadline.getTime() - computeExpired().getTime());
    return { ...BUSY, dueInMs };
  }
  if (prepared.outcome !== "ready") return explain(transaction, prepared);
  return sign(wallet, { transaction, action, prepared, nonce, relay: relayAddress });
}

/** Claims wait as long as they must. A split, merge or approval that is done late can surprise its owner. */
const isTooOld = ({ kind, createdAt }: WalletTransactionRow): boolean =>
  kind !== "redeem" && now() > createdAt.getTime() + LIFETIME_SECONDS * 1_000;

interface Signable {
  transaction: WalletTransactionRow;
  action: WalletAction;
  prepared: Prepared;
  nonce: bigint;
  relay: string | null;
}

async function sign(
  wallet: LiveWalletRow,
  { transaction, action, prepared, nonce, relay }: Signable,
): Promise<StepChange> {
  const { calls, claims } = prepared;
  const seconds = Math.floor(now() / 1_000) + LIFETIME_SECONDS;
  const permit = toPermit(action, claims);
  const body = await signWalletTransaction(
    wallet,
    { calls, permit, nonce, deadline: BigInt(seconds), relay },
    buildMetadata(transaction.id, transaction.attempts + 1),
  );
  const hasDeadline = wallet.signatureType === SIGNATURE_TYPE.depositWallet;
  const deadline = hasDeadline ? new Date(seconds * 1_000) : null;
  return {
    status: "signed",
    signed: { body, nonce, deadline },
    claims: action.kind === "redeem" ? claims.map(toStored) : null,
  };
}

/** Identifies a form in the relayer's list. */
export const buildMetadata = (id: string, attempt: number): string => `Ante ${id}/${attempt}`;

function toPermit(action: WalletAction, claims: readonly ClaimedPosition[]): CallPermit {
  if (action.kind === "approve") return { kind: "approve" };
  const { id: conditionId, protocol, isNegRisk, outcomes } = action.market;
  const market = { conditionId, protocol, isNegRisk };
  if (action.kind !== "redeem") return { kind: action.kind, market, amount: action.shares };
  const getHeld = (index: 0 | 1) =>
    claims.find(({ tokenId }) => tokenId === outcomes[index].tokenId)?.shares ?? 0n;
  return { kind: "redeem", market, holdings: [getHeld(0), getHeld(1)] };
}

const toStored = ({ tokenId, shares: size, payout }: ClaimedPosition) => ({
  tokenId,
  shares: size.toString(),
  payout: payout.toString(),
});

/** Returns the action of a transaction; null if its market is not listed any more. */
export async function findAction({
  userId,
  kind,
  marketId,
  shares: size,
}: WalletTransactionRow): Promise<WalletAction | null> {
  if (kind === "approve") return { kind };
  assert(marketId !== null, "a claim, split or merge has a market");
  const market = await remoteVenue().findMarket(marketId);
  if (!market) return null;
  if (kind === "redeem") return { kind, market };
  return makeSplitOrMerge(userId, { kind, market, shares: shares(size ?? 0n) });
}

/** Ends a transaction that has nothing to do at this moment. */
function explain(
  { kind }: WalletTransactionRow,
  prepared: Exclude<PreparedAction, Prepared>,
): StepChange {
  switch (prepared.outcome) {
    case "nothing_to_do":
      return kind === "approve"
        ? { status: "confirmed" }
        : // Its owner claimed it elsewhere.
          { ...fail("This position has nothing to claim."), isExpected: true };
    case "not_resolved":
      return fail("This market isn't resolved yet.");
    case "insufficient":
      return fail(`The wallet has only ${formatMicro(prepared.available)} available.`);
  }
}

const fail = (failure: string) => ({ status: "failed", failure }) as const;
