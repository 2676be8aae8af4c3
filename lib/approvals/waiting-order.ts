import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import { now } from "@/lib/clock";
import { refuseDearer, setDeadline } from "@/lib/domain/approvals";
import type { Refusal } from "@/lib/domain/funding";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { POLYMARKET_MIN_LIFE_MS } from "@/lib/domain/time-in-force";
import { AppError, assert } from "@/lib/errors";
import { estimateOrder } from "@/lib/orders/estimate-order";
import type { OrderEstimate, OrderSubmission, Venue } from "@/lib/venue/port";

/** Throws unless an order waits for its owner's approval, and can still get it. */
export function requireWaiting({ status, createdAt }: OrderRow): void {
  if (status !== "pending_approval") {
    throw new AppError(
      "VALIDATION_ERROR",
      `This order doesn't wait for approval any more: it is ${status}.`,
    );
  }
  if (setDeadline(createdAt).getTime() > now()) return;
  throw new AppError("VALIDATION_ERROR", "The 15 minutes to approve this order are over.");
}

/** The execution of an order that waits, if it was approved now. */
export interface WaitingEstimate {
  submission: OrderSubmission;
  estimate: OrderEstimate;
  /** Why it can't be approved now, or null. */
  refusal: Refusal | null;
}

/**
 * Estimates what an order that waits would do now.
 *
 * @throws MARKET_NOT_FOUND or MARKET_CLOSED if its market takes no orders any more.
 */
export async function estimateWaiting(venue: Venue, order: OrderRow): Promise<WaitingEstimate> {
  const found = await venue.findMarketByToken(order.tokenId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "The order's market is no longer listed.");
  const { market } = found;
  if (venue.getState(market).status !== "open") {
    throw new AppError("MARKET_CLOSED", "The order's market takes no orders now.");
  }
  const submission: OrderSubmission = {
    orderId: order.id,
    userId: order.userId,
    keyId: order.keyId,
    market,
    outcome: order.outcome,
    intent: toIntent(order),
    conditions: {
      isFillOrKill: order.isFillOrKill,
      isPostOnly: order.isPostOnly,
      expiresAt: order.expiresAt?.getTime() ?? null,
    },
    requestedType: order.requestedType === "limit" ? "limit" : undefined,
    idempotencyKey: JSON.parse(order.idempotencyKeyJson) as string,
    receivedAt: order.createdAt.getTime(),
    simulatedFault: null,
    canAskOwner: false,
  };
  const estimate = await estimateOrder(venue, submission);
  const refusal =
    refuseExpired(venue, order) ?? estimate.refusal ?? refuseDearer(estimate.laterHold, order.held);
  return { submission, estimate, refusal };
}

function toIntent({ type, action, price, shares, amount }: OrderRow): OrderIntent {
  if (type === "limit") {
    assert(price !== null && shares !== null, "a limit order has a price and shares");
    return { type, action, price, shares, amount };
  }
  if (shares !== null) return { type, action, worstPrice: price, shares, amount: null };
  assert(action === "BUY" && amount !== null, "a market order without shares buys for an amount");
  return { type, action, worstPrice: price, shares, amount };
}

function refuseExpired({ kind }: Venue, { expiresAt }: OrderRow): Refusal | null {
  const leastLife = kind === "remote" ? POLYMARKET_MIN_LIFE_MS : 0;
  if (expiresAt === null || expiresAt.getTime() > now() + leastLife) return null;
  const message = `The order was to expire at ${expiresAt.toISOString()}. It is too late to place it.`;
  return { code: "VALIDATION_ERROR", message };
}
