import "server-only";
import { withStatement, withTransaction, getDb } from "@/lib/db/client";
import { claimRemoteOrder, type NewRemoteOrder } from "@/lib/db/queries/claim-remote-order";
import type { Claim } from "@/lib/db/placement-record";
import {
  insertClaim,
  storeAnswer,
  selectClaim,
  type StoredClaim,
} from "@/lib/db/queries/idempotency";
import {
  LimitsApply,
  lockLimits,
  readLimitedSubjects,
  withLimitLock,
} from "@/lib/db/queries/limit-state";
import { countWaiting } from "@/lib/db/queries/approvals";
import { needsApproval, refuseManyWaiting } from "@/lib/domain/approvals";
import type { Refusal } from "@/lib/domain/funding";
import { refuseByLimits } from "@/lib/domain/limits";
import { AppError, assert } from "@/lib/errors";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";
import { withClaimErrors, createOrderInProgress } from "@/lib/orders/idempotency/key-errors";
import { readStoredAnswer } from "@/lib/orders/idempotency/fingerprint";
import {
  LEASE_RELEASED,
  PostingLease,
  submitOrder,
  takeOver,
} from "@/lib/orders/live/post-until-known";
import { type OpeningTrader, requireSigner, requireTrader } from "@/lib/accounts/require-trader";
import { draftOrderEvents, recordOrderEvents } from "@/lib/db/queries/order-events";
import type { Cause } from "@/lib/ledger/account-log";
import { recordWaiting } from "@/lib/orders/live/waiting-orders";
import { createOrderRow, toBuilderColumns, toLimitedOrder } from "@/lib/venue/order-row";
import type { OrderSubmission, RemoteVenue, SignedOrder } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";
import type { Tx } from "@/lib/db/database";
import { withUserTurn } from "@/lib/db/user-turns";
import { insertRemoteMarket, insertUnsentOrder } from "@/lib/db/queries/remote-orders";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { buildHold } from "@/lib/ledger/live-transfers";
import { formatMicro } from "@/lib/units";
import type { Principal } from "@/lib/auth/principal";
import { now, pause } from "@/lib/clock";
import { env } from "@/lib/env";
import { remoteVenue } from "@/lib/venues";

/** Pauses of a repeated request that waits for another request. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

type ClaimKey = Pick<StoredClaim, "userId" | "keyHash">;

/**
 * Signs an order, records it with its claim and its reservation, and then sends it. A market order
 * that the book cannot fill is rejected without being sent.
 *
 * @param opening the wallet of the claim's user, if it is being opened already.
 * @returns null if another request holds the idempotency key.
 * @throws the 502 to repeat the request with the same key, while the outcome is unknown.
 */
export async function placeRemoteOrder(
  venue: RemoteVenue,
  claim: Claim,
  submission: OrderSubmission,
  opening?: OpeningTrader,
): Promise<Answer | null> {
  const trader = await requireSigner(claim.userId, opening);
  const bounded = await boundByBook(venue, submission);
  if ("code" in bounded) return rejectUnsent(claim, submission, bounded);
  const signed = await venue.signOrder(trader, bounded);
  const lease = new PostingLease();
  const newOrder = buildSubmittingOrder(bounded, { signed, keyHash: claim.keyHash, lease });
  const claimed = await withClaimErrors(() =>
    withLimitLock(claim.userId, async (isExclusive) =>
      isExclusive
        ? claimWithinLimits(venue, { claim, signer: trader }, { submission: bounded, newOrder })
        : claimUnlimited({ claim, signer: trader }, newOrder),
    ),
  );
  if (typeof claimed === "object" && "body" in claimed) return claimed;
  if (claimed === "removed") {
    throw new AppError(
      "WALLET_NOT_FOUND",
      "This user's live wallet was removed during the request.",
    );
  }
  if (claimed === "taken") return null;
  lease.until = claimed;
  const written = { order: newOrder.order, remote: { ...newOrder.remote, postingUntil: claimed } };
  const answer =
    (await submitOrder({ venue, trader }, { orderId: claim.orderId, written, lease })) ??
    (await readAnswer(claim));
  assert(answer, "an order with a known outcome has a stored response");
  return answer;
}

/**
 * Sets the worst price of a market order from the book, or rejects the order. Only two kinds need the
 * book: an order without a worst price, and a buy of exact shares, which would stay open on an empty book.
 * The venue checks every other order.
 */
export async function boundByBook(
  venue: RemoteVenue,
  submission: OrderSubmission,
): Promise<OrderSubmission | Refusal> {
  const { intent } = submission;
  if (intent.type === "limit") return submission;
  const mayRest = intent.action === "BUY" && intent.shares !== null;
  if (intent.worstPrice !== null && !mayRest) return submission;
  const { limit, refusal } = await venue.estimateOrder(submission);
  if (refusal) return refusal;
  return { ...submission, intent: { ...intent, worstPrice: limit } };
}

/** Claims the key of an order without limits, in one statement. */
async function claimUnlimited(
  owner: { claim: Claim; signer: Trader },
  newOrder: NewRemoteOrder,
): Promise<Date | "taken" | "removed"> {
  const claimed = await withStatement((db) =>
    claimRemoteOrder(db, { ...owner, isChecked: false }, newOrder),
  );
  if (claimed === "limited") throw new LimitsApply();
  return claimed;
}

/**
 * Claims the key if the order is within the limits. Else records that it is rejected, or waits for its
 * owner's approval, and returns the response.
 */
async function claimWithinLimits(
  venue: RemoteVenue,
  owner: { claim: Claim; signer: Trader },
  { submission, newOrder }: { submission: OrderSubmission; newOrder: NewRemoteOrder },
): Promise<Date | "taken" | "removed" | Answer> {
  const { userId, keyId, market } = submission;
  const query = { userId, keyId, mode: "live", marketId: market.id, now: now() } as const;
  const needsMid = (await readLimitedSubjects(await getDb(), query)).some(
    ({ limits }) => limits.maxDistanceFromMid !== undefined,
  );
  const mid = needsMid ? (await venue.estimateOrder(submission)).mid : null;
  const { price: limit, held: hold } = newOrder.order;
  const check = async (tx: Tx) => {
    await lockLimits(tx, userId);
    const subjects = await readLimitedSubjects(tx, query);
    const worst = { hold, limit, mid };
    const atOnce = toLimitedOrder(submission, { ...worst, waits: false });
    const waits = submission.canAskOwner && needsApproval(atOnce, subjects);
    const account = { userId, mode: "live" } as const;
    const refusal =
      (waits ? refuseManyWaiting(await countWaiting(tx, account)) : null) ??
      refuseByLimits(waits ? toLimitedOrder(submission, { ...worst, waits }) : atOnce, subjects);
    if (refusal) return (await recordRefusal(tx, owner.claim, { submission, refusal })) ?? "taken";
    if (waits) return (await recordWaiting(tx, owner.claim, { submission, newOrder })) ?? "taken";
    const claimed = await claimRemoteOrder(tx, { ...owner, isChecked: true }, newOrder);
    assert(claimed !== "limited", "limits were checked");
    return claimed;
  };
  return withUserTurn(userId, () => withTransaction(check));
}

function rejectUnsent(
  claim: Claim,
  submission: OrderSubmission,
  refusal: Refusal,
): Promise<Answer | null> {
  return withClaimErrors(() =>
    withTransaction((tx) => recordRefusal(tx, claim, { submission, refusal })),
  );
}

/** Records a refused order with its key; returns null if another request holds the key. */
async function recordRefusal(
  tx: Tx,
  claim: Claim,
  { submission, refusal }: { submission: OrderSubmission; refusal: Refusal },
): Promise<Answer | null> {
  if (!(await insertClaim(tx, claim))) return null;
  const answer = failureAnswer(refusal.code, refusal.message);
  await recordRejection(tx, submission, refusal);
  await storeAnswer(tx, claim, answer);
  return answer;
}

/**
 * Resumes an order whose outcome is unknown. Waits while another request holds the posting lease.
 * Otherwise queries the order and posts the same bytes again.
 *
 * @throws ORDER_IN_PROGRESS, or the 502 to repeat the request with the same key.
 */
export async function resumeRemoteOrder(
  { userId }: Principal,
  claim: StoredClaim,
): Promise<Answer> {
  const deadline = now() + env().IN_PROGRESS_WAIT_MS;
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await readAnswer(claim);
    if (answer) return answer;
    const lease = await takeOver(claim.orderId);
    if (lease) {
      const trader = await requireTrader(userId);
      const connection = { venue: remoteVenue(), trader };
      await submitOrder(connection, { orderId: claim.orderId, written: null, lease });
      continue;
    }
    if (now() + waitMs >= deadline) throw createOrderInProgress();
    await pause(waitMs);
  }
}

/** Returns the response stored with a claim; null if there is none yet. */
async function readAnswer({ userId, keyHash }: ClaimKey): Promise<Answer | null> {
  const stored = await selectClaim(await getDb(), userId, keyHash);
  return stored && readStoredAnswer(stored);
}

/**
 * Builds the rows of a signed order and its reservation for the transaction that claims its key. Its
 * bytes may be sent only after the commit. The database sets the end of the posting lease.
 */
export function buildSubmittingOrder(
  submission: OrderSubmission,
  { signed, keyHash, lease }: { signed: SignedOrder; keyHash: string | null; lease: PostingLease },
): NewRemoteOrder {
  const { limit, hold, venueOrderId, builder } = signed;
  const order = createOrderRow(submission, {
    epoch: LIVE_EPOCH,
    price: limit,
    held: hold,
    status: "submitting",
  });
  const { id: orderId, userId, epoch, marketId, tokenId, action, createdAt: at } = order;
  const party = { orderId, owner: { userId, epoch }, marketId, tokenId, action };
  const isMarket = submission.intent.type === "market";
  const detail: Record<string, string> = isMarket ? { worstPrice: formatMicro(limit) } : {};
  return {
    order,
    remote: {
      orderId,
      userId,
      venueOrderId,
      body: signed.body,
      orderType: signed.orderType,
      keyHash,
      feeRate: submission.market.feeRate,
      ...toBuilderColumns(builder),
      venueMatched: null,
      isAmbiguous: false,
      postingUntil: LEASE_RELEASED,
      unseenCount: 0,
      notOpenAt: null,
      cancelRequestedAt: signed.endsAtOnce && signed.orderType === "GTC" ? at : null,
      cancelKeyId: null,
      createdAt: at,
    },
    leaseMs: lease.lengthMs,
    market: submission.market,
    hold: buildHold(party, "first", order.held),
    events: [
      { orderId, type: "received", keyId: order.keyId, detail, createdAt: at },
      { orderId, type: "submitted", keyId: null, detail: { venueOrderId }, createdAt: at },
    ],
    accountEvents: draftOrderEvents(order, { type: "received", detail }, toCause(submission)),
  };
}

/** Inserts an order that is rejected without being sent, in the transaction that claims its key. */
async function recordRejection(
  tx: Tx,
  submission: OrderSubmission,
  { code, message }: Refusal,
): Promise<void> {
  const { intent, market } = submission;
  const price = intent.type === "limit" ? intent.price : intent.worstPrice;
  const order = createOrderRow(submission, {
    epoch: LIVE_EPOCH,
    price,
    held: 0n,
    status: "rejected",
  });
  await insertRemoteMarket(tx, market);
  await insertUnsentOrder(tx, order);
  const received = { ...order, status: "submitting" } as const;
  const events = [
    { row: received, type: "received", keyId: order.keyId, detail: {} },
    { row: order, type: "rejected", keyId: null, detail: { code, message } },
  ] as const;
  await recordOrderEvents(tx, events, toCause(submission));
}

function toCause({ requestId = null, keyId }: OrderSubmission): Cause {
  return { requestId, keyId };
}
