import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import { computeBuilderFee } from "@/lib/domain/fees";
import type { Refusal } from "@/lib/domain/funding";
import {
  type BookSide,
  type Budget,
  crosses,
  oppositeSide,
  reduceBook,
  sweep,
} from "@/lib/domain/matching";
import { computeTerms, isRefusal, type Sizing, type Terms } from "@/lib/domain/order-terms";
import { assert } from "@/lib/errors";
import { isRead, type LoadedMarket } from "@/lib/exchange/load-market";
import { computeRemainingShares, toResting } from "@/lib/venue/order-row";
import { computeRemainingAmount, type MarketUpdate } from "@/lib/exchange/market-update";
import { add, notional, type Usdc } from "@/lib/units";
import { toBuilder } from "@/lib/venue/order-row";

/** Expires orders and fills the resting orders that house quotes have reached. */
export function applyDue(update: MarketUpdate, loaded: Pick<LoadedMarket, "expired">): void {
  for (const { id } of loaded.expired) update.move(id, "expired", "expired");
  applySweep(update);
}

/** Whether orders that were not loaded are due too. They must be settled before a new order trades. */
export function hasBacklog(
  update: MarketUpdate,
  loaded: Pick<LoadedMarket, "hasMoreDue">,
): boolean {
  return loaded.hasMoreDue || (["bid", "ask"] as const).some((side) => reachesUnread(update, side));
}

/** Whether the remaining house quotes reach the orders that were not loaded. */
function reachesUnread({ book, readTo }: MarketUpdate, side: BookSide): boolean {
  const lastPrice = readTo[side];
  if (lastPrice === null) return false;
  return book.house.some((level) => level.side !== side && crosses(side, lastPrice, level.price));
}

/** Fills the resting orders that house quotes have reached, each at its own limit price. */
function applySweep(update: MarketUpdate): void {
  for (const { order, level, size } of sweep(update.book)) {
    const isBid = order.side === "bid";
    update.trade({
      bidId: isBid ? order.id : null,
      askId: isBid ? null : order.id,
      takerId: null,
      level,
      price: order.price,
      size,
    });
  }
}

/** Fills an order with the matches of its terms, then opens or ends it. */
export function applyTaker(update: MarketUpdate, id: string, terms: Terms): void {
  const { selfCrossed } = terms.result;
  for (const own of selfCrossed)
    update.move(own.id, "canceled", "canceled", { reason: "self_trade_prevention" });
  if (selfCrossed.length > 0) update.book = reduceBook(update.book, [], selfCrossed);
  for (const { maker, price, size } of terms.result.matches) {
    const makerId = maker.kind === "order" ? maker.order.id : null;
    const isBid = terms.taker.side === "bid";
    update.trade({
      bidId: isBid ? id : makerId,
      askId: isBid ? makerId : id,
      takerId: id,
      level: maker.kind === "house" ? maker.level : null,
      price,
      size,
    });
  }
  finishTaker(update, id, terms.result.isComplete);
}

/**
 * Matches delayed orders that are due, oldest first. Stops at the first order that could meet orders
 * that were not loaded.
 *
 * @returns the number of matched orders.
 */
export function applyDelayed(update: MarketUpdate, due: readonly OrderRow[]): number {
  for (const [index, row] of due.entries()) {
    const builderFees = toBuilder(row) ?? undefined;
    const charged = builderFees ? { ...update.market, builderFees } : update.market;
    const terms = computeTerms(rowToSizing(row), charged, update.book);
    const side = row.bookSide;
    if (meetsUnread(update, side, terms)) return index;
    update.update(row.id, { matchAfter: null });
    if (isRefusal(terms)) update.move(row.id, "canceled", "canceled", { reason: "not_filled" });
    // The market's fee has risen since the order was placed.
    else if (terms.hold > row.held)
      update.move(row.id, "canceled", "canceled", { reason: "fee_raised" });
    else applyTaker(update, row.id, terms);
  }
  return due.length;
}

/** Whether orders that were not loaded could change a taker's fills. */
export function meetsUnread(
  { readTo }: MarketUpdate,
  side: BookSide,
  terms: Terms | Refusal,
): boolean {
  const lastPrice = readTo[oppositeSide(side)];
  if (lastPrice === null) return false;
  if (isRefusal(terms)) return terms.code === "NO_LIQUIDITY" || terms.code === "ORDER_NOT_FILLED";
  return !terms.result.isComplete && crosses(side, terms.taker.limit, lastPrice);
}

/** Opens the remainder of a limit order; cancels the remainder of a market order. */
function finishTaker(update: MarketUpdate, id: string, isComplete: boolean): void {
  const row = update.getOrder(id);
  if (isComplete) {
    update.move(id, "filled", "filled");
  } else if (row.type === "limit") {
    openOrder(update, row);
  } else {
    update.move(id, "canceled", "canceled", { reason: "remainder_dropped" });
  }
}

/** A resting order is a maker and pays a builder's fee only, so it holds that and its remainder's cost. */
function openOrder(update: MarketUpdate, row: OrderRow): void {
  const left = computeRemainingShares(row);
  assert(row.price !== null, "a limit order has a price");
  update.move(row.id, "open", "opened");
  update.release(
    row.id,
    row.action === "BUY" ? computeMakerHold(row, notional(left, row.price, "up")) : left,
    "improvement",
  );
  const resting = toResting(update.getOrder(row.id));
  // Orders that were not loaded may trade before this one, so the loaded book must not hold it.
  if (!isRead(resting, update.readTo[resting.side])) return;
  update.book = { ...update.book, orders: [...update.book.orders, resting] };
}

function computeMakerHold(row: OrderRow, cost: Usdc): Usdc {
  const builder = toBuilder(row);
  return builder ? add(cost, computeBuilderFee(cost, builder.makerBps, "up")) : cost;
}

function rowToSizing(row: OrderRow): Sizing {
  const budget: Budget =
    row.shares === null && row.amount !== null
      ? { kind: "amount", amount: computeRemainingAmount(row.amount, row) }
      : { kind: "shares", shares: computeRemainingShares(row) };
  return {
    type: row.type,
    action: row.action,
    outcome: row.outcome,
    price: row.price,
    budget,
    ownerId: row.userId,
    isFillOrKill: row.isFillOrKill,
    isPostOnly: row.isPostOnly,
  };
}
