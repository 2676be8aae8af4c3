import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import { complement, type Price } from "@/lib/units";

/** What somebody did, in the prices of the token they did it with. */
export interface Deed {
  action: Action;
  outcome: OutcomeIndex;
  price: Price;
}

/**
 * What the house did when it took a user's resting order: it only ever buys. From a seller it takes
 * the shares over; with a buyer it mints a pair, and so buys the other outcome.
 */
export function houseTakerOf(maker: Deed): Deed {
  if (maker.action === "SELL") return { ...maker, action: "BUY" };
  const outcome: OutcomeIndex = maker.outcome === 0 ? 1 : 0;
  return { action: "BUY", outcome, price: complement(maker.price) };
}

/**
 * The same deed seen in the prices of `outcome`: selling one outcome is buying the other, at what is
 * left to one dollar.
 */
export function seenFrom(outcome: OutcomeIndex, deed: Deed): { action: Action; price: Price } {
  if (deed.outcome === outcome) return { action: deed.action, price: deed.price };
  return { action: deed.action === "BUY" ? "SELL" : "BUY", price: complement(deed.price) };
}
