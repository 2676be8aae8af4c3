import "server-only";
import { getDb } from "@/lib/db/client";
import type { OrderRow } from "@/lib/db/rows";
import {
  type KnownTrade,
  type OrderChange,
  changeOrder,
  type ChangeTarget,
} from "@/lib/orders/live/order-change";
import type { RemoteCancel, VenueOrder, VenueTrade, RemoteVenue } from "@/lib/venue/port";
import {
  type RemoteOrder,
  type RemoteOrderRow,
  selectFinalTradeIds,
} from "@/lib/db/queries/remote-orders";
import { buildFinalAnswer, buildLateAnswer } from "@/lib/orders/live/placement-answer";
import type { Trader } from "@/lib/venue/trader";

/** The venue's clock may be ahead of this host's clock by this much. */
const CLOCK_SKEW_MS = 10_000;

/** The result of one query of the venue about an order. */
export interface OrderReport {
  /** Null if the venue does not return the order, which alone proves nothing. */
  order: VenueOrder | null;
  trades: readonly KnownTrade[];
  /** Outcome of a cancel that was sent just before; null if none was sent. */
  cancel: RemoteCancel["outcome"] | null;
}

/**
 * Applies the venue's state to an order. A final state is applied only when all its trades are known,
 * so that fills and released funds always add up.
 */
export function applyOrderReport(change: OrderChange, report: OrderReport): void {
  change.addTrades(report.trades);
  const isListed = report.order !== null && report.order.status !== "rejected";
  const wasSeen = isListed || change.matchedShares > 0n;
  if (report.order !== null && change.remote.unseenCount > 0) {
    change.setRemote({ unseenCount: 0, notOpenAt: null });
  }
  if (report.order !== null && report.order.matchedShares !== change.remote.venueMatched) {
    change.setRemote({ venueMatched: report.order.matchedShares });
  }
  if (wasSeen && isReportedAsNotPlaced(change.order)) change.reappear();
  if (change.isClosed) return;
  if (report.order === null) applyAbsence(change, report);
  else applyVenueOrder(change, report.order);
}

function applyAbsence(change: OrderChange, { cancel }: OrderReport): void {
  change.setRemote({ unseenCount: change.remote.unseenCount + 1 });
  if (cancel === "not_open") change.noteNotOpen();
  if (cancel === "canceled") {
    return mayHaveTraded(change) ? awaitTrades(change) : endCanceled(change);
  }
  if (change.matchedShares === 0n) return;
  // The order traded, so it arrived. The venue forgets finished orders.
  if (change.isSpent) change.move("filled", "filled");
  else markOpen(change);
}

function applyVenueOrder(change: OrderChange, seen: VenueOrder): void {
  if (seen.status === "open") {
    markOpen(change);
    // Trades that are not listed yet may be taker trades, which pay a fee.
    if (change.matchedShares >= seen.matchedShares) change.releaseSpare();
    return;
  }
  if (seen.status === "delayed") {
    if (isAwaited(change)) change.move("delayed", "delayed");
    return;
  }
  // The venue has ended the order, but not all trades are listed yet. The next query gets them.
  if (change.matchedShares < seen.matchedShares) return markOpen(change);
  if (seen.status === "matched") return endMatched(change);
  if (seen.status === "rejected" && isAwaited(change) && change.matchedShares === 0n) {
    const message = "The venue rejected the order as invalid.";
    return change.move("rejected", "rejected", { code: "ORDER_REJECTED", message });
  }
  endCanceled(change);
}

/** Marks the order as open. */
function markOpen(change: OrderChange): void {
  if (isAwaited(change) || change.order.status === "delayed") change.move("open", "opened");
}

function endMatched(change: OrderChange): void {
  const isWhole = change.isSpent || change.remote.orderType !== "FAK";
  // A trade that failed to settle leaves fewer shares filled than matched.
  if (isWhole && change.order.filledShares >= change.matchedShares) {
    return change.move("filled", "filled");
  }
  const reason = change.order.filledShares === 0n ? "not_filled" : "remainder_dropped";
  change.move("canceled", "canceled", { reason });
}

function endCanceled(change: OrderChange): void {
  const { cancelRequestedAt, cancelKeyId } = change.remote;
  const isDropped = change.order.type === "market";
  const reason = isDropped ? "remainder_dropped" : cancelRequestedAt ? "requested" : "by_venue";
  if (change.isSpent) change.move("filled", "filled");
  else if (cancelRequestedAt === null && hasExpired(change)) change.move("expired", "expired");
  else change.move("canceled", "canceled", { reason }, cancelKeyId);
}

/** Whether a cancel by the venue was an expiry, which happens by the venue's clock. */
function hasExpired({ order: { expiresAt }, at }: OrderChange): boolean {
  return expiresAt !== null && expiresAt.getTime() - CLOCK_SKEW_MS <= at.getTime();
}

/**
 * Whether an order that was open until its cancel, and that the venue does not return, may have
 * unlisted trades. The response to a market order is final, and its caller may retry after it, so the
 * response waits until the trades had time to be listed.
 */
export function mayHaveTraded(change: OrderChange): boolean {
  return change.order.type === "market" && !change.isSpent;
}

/** Marks an order that is no longer open, but whose trades may be listed later. */
export function awaitTrades(change: OrderChange): void {
  change.noteNotOpen();
  markOpen(change);
}

/** Whether the owner got the response that the order was not placed. */
export function isReportedAsNotPlaced({ status }: Pick<OrderRow, "status">): boolean {
  return status === "abandoned" || status === "rejected";
}

function isAwaited({ order }: OrderChange): boolean {
  return order.status === "submitting" || order.status === "unknown";
}

/** The venue dates trades in whole seconds by its own clock, and lists some late. */
const CLOCK_MARGIN_MS = 120_000;

/** Returns the `since` of a trade list that contains all trades after an instant. */
export const subtractClockMargin = (at: Date): number => at.getTime() - CLOCK_MARGIN_MS;

/** The order to query. */
export interface OrderQuery {
  remote: Pick<RemoteOrderRow, "orderId" | "venueOrderId" | "createdAt">;
  /** The order as last read or written, if it has no fills. */
  known?: RemoteOrder | null;
}

/**
 * Queries an order at the venue by its hash, and its trades, and records the report. If a read fails,
 * the error is thrown and nothing changes.
 *
 * @param cancel outcome of a cancel that was sent just before.
 */
export async function queryOrder(
  { venue, trader }: Connection,
  { remote: { orderId, venueOrderId, createdAt }, known = null }: OrderQuery,
  cancel: OrderReport["cancel"] = null,
): Promise<OrderRow> {
  const order = await venue.findOrder(trader, venueOrderId);
  const trades: VenueTrade[] =
    order === null
      ? await venue.listTrades(trader, subtractClockMargin(createdAt))
      : await venue.getTrades(trader, await skipFinalTrades(orderId, order.tradeIds));
  return recordOrderReport({ orderId, known }, { order, trades, cancel });
}

/**
 * Returns the trades of a recorded order that a read can still change. The venue returns one trade per
 * request, so an order with hundreds of fills would exceed its rate limit (polymarket.md 9.1).
 */
export async function skipFinalTrades(
  orderId: string,
  tradeIds: readonly string[],
): Promise<readonly string[]> {
  if (tradeIds.length === 0) return tradeIds;
  const final = await selectFinalTradeIds(await getDb(), orderId);
  return tradeIds.filter((id) => !final.has(id));
}

/** Applies an order report, and stores the response once the outcome is known. */
export async function recordOrderReport(
  target: ChangeTarget,
  report: OrderReport,
): Promise<OrderRow> {
  const { change } = await changeOrder(target, (order) => {
    applyOrderReport(order, report);
    return order.hasReappeared ? buildLateAnswer(order.order) : buildFinalAnswer(order.order);
  });
  return change.order;
}

/** A venue and the trader whose orders are handled there. */
export interface Connection {
  venue: RemoteVenue;
  trader: Trader;
}
