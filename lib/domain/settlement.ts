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

/** One party's side of a trade, in prices of its own token. */
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

/** Returns the side that the API and the pages show for an outcome. */
export const toYesOrNo = (outcome: OutcomeIndex) => (outcome === 0 ? "YES" : "NO");

/** Returns the side of an order in its market's book. */
export function toBookSide(action: Action, outcome: OutcomeIndex): BookSide {
  return (action === "BUY") === (outcome === 0) ? "bid" : "ask";
}

/** Converts a token's price to the book's price. The conversion is its own inverse. */
export function toBookPrice(outcome: OutcomeIndex, at: Price): Price {
  return outcome === 0 ? at : subtract(ONE, at);
}

/** Returns the house's part of a trade. It always buys: it mints with buyers, and buys from sellers. */
export function getHouseSide(side: BookSide): { action: Action; outcome: OutcomeIndex } {
  return { action: "BUY", outcome: side === "bid" ? 0 : 1 };
}

/**
 * Settles a trade of `size` shares at a book price. The two notionals of a mint or merge add up to
 * exactly `size` USDC: one is rounded down, the other is the remainder.
 */
export function settle(
  bid: { action: Action; outcome: OutcomeIndex },
  ask: { action: Action; outcome: OutcomeIndex },
  at: Price,
  size: Shares,
): Settlement {
  const firstNotional = usdc(divide(size * at, SCALE, "down"));
  const secondNotional = usdc(size - firstNotional);
  const toSide = ({ action, outcome }: { action: Action; outcome: OutcomeIndex }): TradeSide => ({
    action,
    outcome,
    price: toBookPrice(outcome, at),
    size,
    notional: outcome === 0 ? firstNotional : secondNotional,
  });
  return { kind: getKind(bid.action, ask.action), bid: toSide(bid), ask: toSide(ask) };
}

function getKind(bid: Action, ask: Action): SettlementKind {
  if (bid === "BUY" && ask === "BUY") return "mint";
  return bid === "SELL" && ask === "SELL" ? "merge" : "complementary";
}
