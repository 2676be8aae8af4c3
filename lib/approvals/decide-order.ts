import "server-only";
import { estimateWaiting, requireWaiting } from "@/lib/approvals/waiting-order";
import type { Principal } from "@/lib/auth/principal";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import type { OrderRow } from "@/lib/db/rows";
import { refuseFrozen } from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";
import { requireOrder } from "@/lib/orders/get-order";
import { placeApprovedOrder } from "@/lib/orders/live/place-approved-order";
import { endWaitingOrders } from "@/lib/orders/live/waiting-orders";
import { getVenue } from "@/lib/venues";
import type { ApprovalEnd, Mode } from "@/lib/venue/port";

/**
 * Approves an order that waits, with a fresh second factor. It goes on like every order, once: the
 * transaction that ends the wait locks the order, so of any number of approvals one succeeds.
 *
 * @throws ORDER_NOT_FOUND for another user's order, VALIDATION_ERROR if it doesn't wait any more,
 *   TRADING_FROZEN, or the refusal of what it would do now. The order then waits on.
 */
export async function approveOrder(session: Session, orderId: string, proof: Proof): Promise<void> {
  const { principal, id: sessionId } = session;
  const order = await requireOrder(await getDb(), principal, orderId);
  requireWaiting(order);
  await requireFreshFactor(session, "approve", proof);
  const venue = getVenue(principal.mode);
  const { submission, refusal } = await estimateWaiting(venue, order);
  if (refusal) throw new AppError(refusal.code, refusal.message);
  const { userId, marketId } = order;
  const { requestId } = principal;
  const admit = async (tx: Tx, row: OrderRow) => {
    requireWaiting(row);
    await requireThawed(tx, row, principal.mode);
    const detail = { order: orderId };
    await recordSecurityEvent(tx, { userId, kind: "order_approved", sessionId, detail });
  };
  const approval = { orderId, userId, requestId, marketId, admit };
  if (venue.kind === "remote") await placeApprovedOrder(venue, submission, approval);
  else {
    await venue.prepareOrder(submission.market);
    await venue.approveOrder(approval);
  }
}

/** An approval doesn't lift a freeze that came after the order. */
async function requireThawed(
  tx: Tx,
  { userId, keyId, marketId }: OrderRow,
  mode: Mode,
): Promise<void> {
  const subjects = await readLimitedSubjects(tx, { userId, mode, keyId, marketId, now: now() });
  for (const subject of subjects) {
    const refusal = refuseFrozen(subject);
    if (refusal) throw new AppError(refusal.code, refusal.message);
  }
}

/**
 * Declines an order that waits, and releases what it holds.
 *
 * @throws ORDER_NOT_FOUND for another user's order, VALIDATION_ERROR if it doesn't wait any more.
 */
export async function declineOrder({ principal }: Session, orderId: string): Promise<void> {
  const order = await requireOrder(await getDb(), principal, orderId);
  requireWaiting(order);
  const ended = await endWithoutApproval(principal, [order], "declined");
  if (ended === 0) requireWaiting(await requireOrder(await getDb(), principal, orderId));
}

/** Ends orders of one account that still wait. Returns how many did. */
export async function endWithoutApproval(
  { userId, mode, requestId }: Pick<Principal, "userId" | "mode" | "requestId">,
  waiting: readonly { id: string; marketId: string }[],
  reason: ApprovalEnd,
): Promise<number> {
  const venue = getVenue(mode);
  if (venue.kind === "remote") {
    const ender = { userId, keyId: null, requestId, at: new Date(now()) };
    return (await endWaitingOrders(ender, { orderIds: waiting.map(({ id }) => id) }, reason))
      .length;
  }
  const request = { orders: waiting, userId, keyId: null, requestId, reason };
  const results = await venue.cancelOrders(request);
  return [...results.values()].filter(({ outcome }) => outcome === "canceled").length;
}
