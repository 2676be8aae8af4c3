import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import type { NewRemoteOrder } from "@/lib/db/queries/claim-remote-order";
import { insertOrderEvents, insertRemoteMarket } from "@/lib/db/queries/remote-orders";
import { insertRefusedOrder } from "@/lib/db/queries/refused-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { Refusal } from "@/lib/domain/funding";
import { bookPriceOf, bookSideOf } from "@/lib/domain/settlement";
import { env } from "@/lib/env";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { holdLeg } from "@/lib/ledger/remote-legs";
import { formatMicro, NO_SHARES, NO_USDC } from "@/lib/units";
import type { OrderSubmission, SignedOrder } from "@/lib/venue/port";

/** Until the database numbers it. */
const NEWEST = 2n ** 63n - 1n;
/** Nobody posts, and whoever did has recorded what came of it. */
export const GIVEN_BACK = new Date(0);

/**
 * A signed order as it is written down with its reservation, in the transaction that claims its key.
 * Only when that is committed may its bytes be sent.
 */
export function submittingOrder(
  submission: OrderSubmission,
  { signed, keyHash }: { signed: SignedOrder; keyHash: string },
): NewRemoteOrder {
  const { limit, hold, venueOrderId } = signed;
  const order = toRow(submission, { price: limit, held: hold, status: "submitting" });
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
      isAmbiguous: false,
      postingUntil: leaseEnd(),
      unseenCount: 0,
      notOpenAt: null,
      cancelRequestedAt: signed.endsAtOnce && signed.orderType === "GTC" ? at : null,
      cancelKeyId: null,
      createdAt: at,
    },
    market: submission.market,
    hold: holdLeg(party, "first", order.held),
    events: [
      { orderId, type: "received", keyId: order.keyId, detail, createdAt: at },
      { orderId, type: "submitted", keyId: null, detail: { venueOrderId }, createdAt: at },
    ],
  };
}

/** Writes down, in the transaction that claims its key, an order that is not worth sending. */
export async function writeRefused(
  tx: Tx,
  submission: OrderSubmission,
  { code, message }: Refusal,
): Promise<void> {
  const { intent, market } = submission;
  const price = intent.type === "limit" ? intent.price : intent.worstPrice;
  const order = toRow(submission, { price, held: 0n, status: "rejected" });
  await insertRemoteMarket(tx, market);
  await insertRefusedOrder(tx, order);
  const common = { orderId: order.id, createdAt: order.createdAt };
  await insertOrderEvents(tx, [
    { ...common, type: "received", keyId: order.keyId, detail: {} },
    { ...common, type: "rejected", keyId: null, detail: { code, message } },
  ]);
}

/** When a request that posts now will have given up for sure. */
export function leaseEnd(): Date {
  const { SUBMIT_BUDGET_MS, SUBMIT_ATTEMPT_TIMEOUT_MS } = env();
  return new Date(now() + SUBMIT_BUDGET_MS + SUBMIT_ATTEMPT_TIMEOUT_MS);
}

function toRow(
  submission: OrderSubmission,
  { price, held, status }: Pick<OrderRow, "price" | "held" | "status">,
): OrderRow {
  const { intent, market, outcome, receivedAt } = submission;
  const at = new Date(receivedAt);
  return {
    id: submission.orderId,
    userId: submission.userId,
    epoch: LIVE_EPOCH,
    keyId: submission.keyId,
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    outcome,
    action: intent.action,
    type: intent.type,
    price,
    shares: intent.shares,
    amount: intent.amount,
    status,
    filledShares: NO_SHARES,
    filledNotional: NO_USDC,
    fee: NO_USDC,
    held,
    bookSide: bookSideOf(intent.action, outcome),
    bookPrice: price === null ? null : bookPriceOf(outcome, price),
    sequence: NEWEST,
    isFillOrKill: false,
    isPostOnly: false,
    expiresAt: null,
    matchAfter: null,
    idempotencyKeyJson: JSON.stringify(submission.idempotencyKey),
    createdAt: at,
    updatedAt: at,
  };
}
