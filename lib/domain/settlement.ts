import {
  divide,
  ONE,
  type Price,
  SCALE,
  type Shares,
  subtract,
  type Usdc,
  usdc,
} from "@/lib/units";
import type { BookSide } from "@/lib/domain/matching";

export type Action = "BUY" | "SELL";
/** 0 is the market's first token (YES), 1 its second (NO). */
export type OutcomeIndex = 0 | 1;

/** How a trade settles: shares change hands, a pair is created, or a pair is destroyed. */
type SettlementKind = "complementary" | "mint" | "merge";

/** What one party does in its own token's terms. */
export interface TradeSide {
  action: Action;
  outcome: OutcomeIndex;
  price: Price;
  size: Shares;
  notional: Usdc;
}

export interface Settlement {
  kind: SettlementKind;
  bid: TradeSide;
  ask: TradeSide;
}

/** Where an order stands in the one book of its market. */
export function bookSideOf(action: Action, outcome: OutcomeIndex): BookSide {
  return (action === "BUY") === (outcome === 0) ? "bid" : "ask";
}

/** Turns a token's price into the book's price, and back: the mapping is its own inverse. */
export function bookPriceOf(outcome: OutcomeIndex, at: Price): Price {
  return outcome === 0 ? at : subtract(ONE, at);
}

/** The house only ever buys: it mints with buyers and takes over the shares of sellers. */
export function houseActs(side: BookSide): { action: Action; outcome: OutcomeIndex } {
  return { action: "BUY", outcome: side === "bid" ? 0 : 1 };
}

/**
 * Settles a trade of `size` at a book price between whoever stands on each side. The two notionals
 * of a mint or merge add up to exactly `size` USDC, whatever the rounding.
 */
export function settle(
  bid: { action: Action; outcome: OutcomeIndex },
  ask: { action: Action; outcome: OutcomeIndex },
  at: Price,
  size: Shares,
): Settlement {
  const ofFirst = usdc(divide(size * at, SCALE, "down"));
  const ofSecond = usdc(size - ofFirst);
  const side = ({ action, outcome }: { action: Action; outcome: OutcomeIndex }): TradeSide => ({
    action,
    outcome,
    price: bookPriceOf(outcome, at),
    size,
    notional: outcome === 0 ? ofFirst : ofSecond,
  });
  return { kind: kindOf(bid.action, ask.action), bid: side(bid), ask: side(ask) };
}

function kindOf(bid: Action, ask: Action): SettlementKind {
  if (bid === "BUY" && ask === "BUY") return "mint";
  return bid === "SELL" && ask === "SELL" ? "merge" : "complementary";
}
