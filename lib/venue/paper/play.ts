import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import { type Budget, sweep } from "@/lib/domain/matching";
import { assert } from "@/lib/errors";
import { notional } from "@/lib/units";
import { remainingAmount, remainingShares, type Round, toResting } from "@/lib/venue/paper/round";
import type { LoadedMarket } from "@/lib/venue/paper/loaded";
import { isRefusal, type Sizing, type Terms, termsOf } from "@/lib/domain/order-terms";

/** Plays what has become due in a market since it was last touched, before anybody new trades. */
export function playDue(round: Round, loaded: Pick<LoadedMarket, "due" | "expired">): void {
  for (const { id } of loaded.expired) round.move(id, "expired", "expired");
  playSweep(round);
  playDelayed(round, loaded.due);
}

/** Fills the resting orders that the house's quotes have reached, each at its own limit. */
function playSweep(round: Round): void {
  for (const { order, level, size } of sweep(round.book)) {
    const isBid = order.side === "bid";
    round.trade({
      bidId: isBid ? order.id : null,
      askId: isBid ? null : order.id,
      takerId: null,
      level,
      price: order.price,
      size,
    });
  }
}

/** Lets an order of the round take what its terms found, then rest, or end. */
export function playTaker(round: Round, id: string, terms: Terms): void {
  for (const own of terms.result.selfCrossed) {
    round.move(own.id, "canceled", "canceled", { reason: "self_trade_prevention" });
    round.book = {
      ...round.book,
      orders: round.book.orders.filter((order) => order.id !== own.id),
    };
  }
  for (const { maker, price, size } of terms.result.matches) {
    const makerId = maker.kind === "order" ? maker.order.id : null;
    const isBid = terms.taker.side === "bid";
    round.trade({
      bidId: isBid ? id : makerId,
      askId: isBid ? makerId : id,
      takerId: id,
      level: maker.kind === "house" ? maker.level : null,
      price,
      size,
    });
  }
  settleTaker(round, id, terms.result.isComplete);
}

/** Matches the orders whose delay is over, in the order in which they came. */
function playDelayed(round: Round, due: readonly OrderRow[]): void {
  for (const row of due) {
    const terms = termsOf(sizingOfRow(row), round.market, round.book);
    if (isRefusal(terms)) round.move(row.id, "canceled", "canceled", { reason: "not_filled" });
    else playTaker(round, row.id, terms);
  }
}

/** Rests what is left of a limit order; ends a market order, dropping the rest. */
function settleTaker(round: Round, id: string, isComplete: boolean): void {
  const row = round.order(id);
  if (isComplete) {
    round.move(id, "filled", "filled");
  } else if (row.type === "limit") {
    rest(round, row);
  } else {
    round.move(id, "canceled", "canceled", { reason: "remainder_dropped" });
  }
}

/** A resting order is a maker and pays no fee, so it keeps only the cost of what is left. */
function rest(round: Round, row: OrderRow): void {
  const left = remainingShares(row);
  assert(row.price !== null, "a limit order has a price");
  round.move(row.id, "open", "opened");
  round.release(
    row.id,
    row.action === "BUY" ? notional(left, row.price, "up") : left,
    "improvement",
  );
  round.book = { ...round.book, orders: [...round.book.orders, toResting(round.order(row.id))] };
}

function sizingOfRow(row: OrderRow): Sizing {
  const budget: Budget =
    row.shares === null && row.amount !== null
      ? { kind: "amount", amount: remainingAmount(row.amount, row) }
      : { kind: "shares", shares: remainingShares(row) };
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
