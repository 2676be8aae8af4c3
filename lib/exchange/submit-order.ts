import "server-only";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { PlacementRecord } from "@/lib/db/placement-record";
import { insertClaims, storeAnswers } from "@/lib/db/queries/idempotency";
import { OrderLimits } from "@/lib/db/queries/limit-bounds";
import { type LimitQuery, LimitsApply, withLimitLock } from "@/lib/db/queries/limit-state";
import { lockForOrder, toLockResult } from "@/lib/db/queries/lock-for-order";
import { withUserTurn } from "@/lib/db/user-turns";
import { computeEstimate } from "@/lib/domain/order-estimate";
import { isRefusal } from "@/lib/domain/order-terms";
import { assert } from "@/lib/errors";
import { refreshForTaker } from "@/lib/exchange/choose-source";
import { readTime } from "@/lib/exchange/clock";
import { commitChanges } from "@/lib/exchange/commit-update";
import {
  assertNotExpired,
  assertOpen,
  createLoadOptions,
  decideOrder,
  FIRST_DEPTH,
  loadTerms,
  type PaperSubmission,
  refuseTooMany,
} from "@/lib/exchange/decide-order";
import { lockAndLoadMarket, lockNewMarket } from "@/lib/exchange/load-market";
import { withSettledMarket } from "@/lib/exchange/settle-due";
import { submitTogether } from "@/lib/exchange/submit-together";
import type { OrderEstimate, SubmitResult } from "@/lib/venue/port";

/**
 * Submits an order to the paper exchange in one transaction: inserts the idempotency claim, locks the
 * market, settles due orders, matches, checks the funds and writes. Orders of other users in other markets
 * may be part of the transaction.
 *
 * @returns null if the claim already exists.
 * @throws MARKET_CLOSED, which rolls the claim back. Every other rejection is a result.
 */
export function submitPaperOrder(
  submission: PaperSubmission,
  record: PlacementRecord<SubmitResult>,
): Promise<SubmitResult | null> {
  const { userId, market } = submission;
  return withLimitLock(userId, (isExclusive) => {
    const work = (tx: Tx) => submit(tx, submission, { record, isExclusive });
    if (!isExclusive) {
      return submitTogether(submission, record, () => withSettledMarket(market, work));
    }
    return withUserTurn(userId, (patience) => withSettledMarket(market, work, patience));
  });
}

async function submit(
  tx: Tx,
  submission: PaperSubmission,
  { record, isExclusive }: { record: PlacementRecord<SubmitResult>; isExclusive: boolean },
): Promise<SubmitResult | null> {
  const { market, userId } = submission;
  const lock = lockForOrder(insertClaims([record.claim]), {
    userId,
    marketId: market.id,
    isExclusive,
  });
  const limits = isExclusive ? new OrderLimits(toLimitQuery(submission)) : null;
  const options = createLoadOptions(submission, FIRST_DEPTH);
  const loading = { lock, after: limits?.statements ?? [], options };
  const { lockRows, rows, loadedAt } = await lockAndLoadMarket(tx, market, loading);
  const locked = toLockResult(lockRows);
  if (!locked) return null;
  const { owner, isLimited, isMarketLocked } = locked;
  assert(owner, "an authenticated user exists");
  if (isLimited && !isExclusive) throw new LimitsApply();
  limits?.receive(rows);
  if (!isMarketLocked) await lockNewMarket(tx, market);
  const time = readTime();
  assertOpen(market, time.market);
  assertNotExpired(submission.conditions.expiresAt, time.now);
  const early = isMarketLocked ? loadedAt(time) : null;
  const decision = await decideOrder(tx, { submission, owner, limits, time }, early);
  const answer = record.toAnswer(decision.result);
  await commitChanges(
    tx,
    [decision.change],
    [storeAnswers([{ claim: record.claim, answer }]), ...decision.statements],
  );
  return decision.result;
}

/**
 * Returns what `submitPaperOrder` would do with the current book. Locks and changes nothing.
 *
 * @throws MARKET_CLOSED if the market takes no orders.
 */
export async function estimatePaperOrder(submission: PaperSubmission): Promise<OrderEstimate> {
  const { market, userId } = submission;
  const time = readTime();
  assertOpen(market, time.market);
  await refreshForTaker(market);
  const { loaded, update, terms } = await loadTerms(await getDb(), { submission, time }, null);
  const estimate = computeEstimate(submission, market, update.book);
  if (isRefusal(terms) || estimate.restingShares === 0n) return estimate;
  const newOrders = update.countNewLiveOrders(userId) - terms.result.selfCrossed.length + 1;
  return { ...estimate, refusal: refuseTooMany(loaded.owner.liveOrders, newOrders) };
}

const toLimitQuery = ({ userId, keyId, market }: PaperSubmission): LimitQuery => ({
  userId,
  keyId,
  mode: "paper",
  marketId: market.id,
  now: readTime().now,
});
