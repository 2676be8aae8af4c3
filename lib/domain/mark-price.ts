import { ONE, type Price, price } from "@/lib/units";

/** Wider than this, the midpoint says nothing and the last trade is shown (polymarket.md 5.8). */
const WIDE_SPREAD = 100_000n;

export interface BestPrices {
  bid: Price | null;
  ask: Price | null;
}

export interface Quote extends BestPrices {
  mark: Price;
}

/**
 * The price a book displays, in prices of the first token: its midpoint, or the last trade when the
 * spread is wide or one side is empty. `fallback` serves a market that never traded.
 */
export function quote(best: BestPrices, lastTrade: Price | null, fallback: Price): Quote {
  const { bid, ask } = best;
  const isWide = bid === null || ask === null || ask - bid > WIDE_SPREAD;
  const mark = isWide ? (lastTrade ?? fallback) : price((bid + ask) / 2n);
  return { bid, ask, mark };
}

/** What a share is worth once its market is resolved. */
export function payoutPrice(isWinner: boolean): Price {
  return isWinner ? ONE : price(0n);
}
