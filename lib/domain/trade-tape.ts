import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import { complement, type Price } from "@/lib/units";

/** One side of a trade, in the prices of its own outcome. */
export interface TradeSide {
  action: Action;
  outcome: OutcomeIndex;
  price: Price;
}

/**
 * Returns the house's side of a trade with a user's resting order. The house only buys: the shares of a
 * seller, or, to match a buyer, the other outcome of a newly minted pair.
 */
export function toHouseTaker(maker: TradeSide): TradeSide {
  if (maker.action === "SELL") return { ...maker, action: "BUY" };
  const outcome: OutcomeIndex = maker.outcome === 0 ? 1 : 0;
  return { action: "BUY", outcome, price: complement(maker.price) };
}

/**
 * Converts a side of a trade to the prices of `outcome`: selling one outcome is buying the other at
 * 1 - price.
 */
export function toOutcomeSide(
  outcome: OutcomeIndex,
  side: TradeSide,
): { action: Action; price: Price } {
  if (side.outcome === outcome) return { action: side.action, price: side.price };
  return { action: side.action === "BUY" ? "SELL" : "BUY", price: complement(side.price) };
}
