import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import {
  insertOrderEvents,
  insertRemoteMarket,
  insertRemoteOrder,
} from "@/lib/db/queries/remote-orders";
import { insertRefusedOrder } from "@/lib/db/queries/refused-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { Refusal } from "@/lib/domain/funding";
import { bookPriceOf, bookSideOf } from "@/lib/domain/settlement";
import { env } from "@/lib/env";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { holdLeg } from "@/lib/ledger/remote-legs";
import { postTransfers } from "@/lib/ledger/transfers";
import { formatMicro, NO_SHARES, NO_USDC } from "@/lib/units";
import type { OrderSubmission, SignedOrder } from "@/lib/venue/port";

/** Until the database numbers it. */
const NEWEST = 2n ** 63n - 1n;

/**
 * Writes a signed order down with its reservation, in the transaction that claims its key. Only
 * when that is committed may its bytes be sent.
 */
export async function writeSubmitting(
  tx: Tx,
  submission: OrderSubmission,
  { signed, keyHash }: { signed: SignedOrder; keyHash: string },
): Promise<void> {
  const { limit, hold } = signed;
  const order = toRow(submission, { price: limit, held: hold, status: "submitting" });
  const at = order.createdAt;
  await insertRemoteMarket(tx, submission.market);
  await insertRemoteOrder(tx, {
    order,
    remote: {
      orderId: order.id,
      userId: order.userId,
      venueOrderId: signed.venueOrderId,
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
  });
  const { userId, epoch, marketId, tokenId, action } = order;
  const owner = { userId, epoch };
  const party = { orderId: order.id, owner, marketId, tokenId, action };
  await postTransfers(tx, [holdLeg(party, "first", order.held)], at);
  const detail =
    submission.intent.type === "market" ? { worstPrice: formatMicro(signed.limit) } : {};
  await insertOrderEvents(tx, [
    { orderId: order.id, type: "received", keyId: order.keyId, detail, createdAt: at },
    {
      orderId: order.id,
      type: "submitted",
      keyId: null,
      detail: { venueOrderId: signed.venueOrderId },
      createdAt: at,
    },
  ]);
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
