import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import {
  insertOrderEvents,
  insertRemoteMarket,
  insertRemoteOrder,
} from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
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
  const order = toRow(submission, signed);
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

/** When a request that posts now will have given up for sure. */
export function leaseEnd(): Date {
  const { SUBMIT_BUDGET_MS, SUBMIT_ATTEMPT_TIMEOUT_MS } = env();
  return new Date(now() + SUBMIT_BUDGET_MS + SUBMIT_ATTEMPT_TIMEOUT_MS);
}

function toRow(submission: OrderSubmission, signed: SignedOrder): OrderRow {
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
    price: signed.limit,
    shares: intent.shares,
    amount: intent.amount,
    status: "submitting",
    filledShares: NO_SHARES,
    filledNotional: NO_USDC,
    fee: NO_USDC,
    held: signed.hold,
    bookSide: bookSideOf(intent.action, outcome),
    bookPrice: bookPriceOf(outcome, signed.limit),
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
