import "server-only";
import { log } from "@/lib/log";
import {
  type KnownTrade,
  type OrderChange,
  stillNeeded,
} from "@/lib/services/remote-orders/order-change";
import type { RemoteCancel, VenueOrder } from "@/lib/venue/port";

/** What one look at the venue showed of an order. */
export interface Sighting {
  /** Null when the venue does not show it, which alone proves nothing. */
  order: VenueOrder | null;
  trades: readonly KnownTrade[];
  /** What a cancel that was just asked for came to; null when none was. */
  cancel: RemoteCancel["outcome"] | null;
}

/**
 * Brings an order to where the venue shows it. A final state is taken over only when the trades
 * behind it are known, so that what was filled and what is released always add up.
 */
export function applySighting(change: OrderChange, sighting: Sighting): void {
  change.addTrades(sighting.trades);
  const wasSeen = sighting.order !== null || change.matchedShares > 0n;
  if (sighting.order !== null && change.remote.unseenCount > 0) {
    change.setRemote({ unseenCount: 0, notOpenAt: null });
  }
  if (change.order.status === "abandoned" && wasSeen) comeBack(change);
  if (change.isClosed) return;
  if (sighting.order === null) applyAbsence(change, sighting);
  else applyVenueOrder(change, sighting.order);
}

function applyAbsence(change: OrderChange, { cancel }: Sighting): void {
  change.setRemote({ unseenCount: change.remote.unseenCount + 1 });
  if (cancel === "not_open") change.noteNotOpen();
  if (cancel === "canceled") {
    return mayHaveTraded(change) ? awaitTrades(change) : endCanceled(change);
  }
  if (change.matchedShares === 0n) return;
  // It traded, so it arrived; the venue forgets finished orders.
  if (change.isSpent) change.move("filled", "filled");
  else appear(change);
}

function applyVenueOrder(change: OrderChange, seen: VenueOrder): void {
  if (seen.status === "open") {
    appear(change);
    // Trades that are not visible yet may have taken, and pay a fee.
    if (change.matchedShares >= seen.matchedShares) change.releaseSpare();
    return;
  }
  if (seen.status === "delayed") {
    if (isAwaited(change)) change.move("delayed", "delayed");
    return;
  }
  // The venue has ended it, but not every trade is visible yet: the next look will see them.
  if (change.matchedShares < seen.matchedShares) return appear(change);
  if (seen.status === "matched") return endMatched(change);
  if (seen.status === "rejected" && isAwaited(change) && change.matchedShares === 0n) {
    const message = "the venue found the order invalid";
    return change.move("rejected", "rejected", { code: "ORDER_REJECTED", message });
  }
  endCanceled(change);
}

/** It stands at the venue. */
function appear(change: OrderChange): void {
  if (isAwaited(change) || change.order.status === "delayed") change.move("open", "opened");
}

function endMatched(change: OrderChange): void {
  const isWhole = change.isSpent || change.remote.orderType !== "FAK";
  // Trades may have failed meanwhile: then less was filled than matched.
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
  else change.move("canceled", "canceled", { reason }, cancelKeyId);
}

/**
 * Whether an order that stood until it was canceled, and that the venue does not show, may have
 * traded more than is known. What a market order did is told for good, and whoever hears it may well
 * try again: so it is told only when its trades had the time to be listed.
 */
export function mayHaveTraded(change: OrderChange): boolean {
  return change.order.type === "market" && !change.isSpent;
}

/** It does not stand any more, and what it traded may be listed later. */
export function awaitTrades(change: OrderChange): void {
  change.noteNotOpen();
  appear(change);
}

/** An order that was given up is at the venue after all: it is adopted, and canceled. */
function comeBack(change: OrderChange): void {
  log.error("LATE_APPEARANCE", { orderId: change.order.id });
  change.holdAgain(stillNeeded(change.order));
  change.move("open", "opened", { reason: "late_appearance" });
  change.setRemote({ cancelRequestedAt: change.at });
}

function isAwaited({ order }: OrderChange): boolean {
  return order.status === "submitting" || order.status === "unknown";
}
