import { ONE, type Price, price } from "@/lib/units";

/** With a wider spread, the mark is the last trade instead of the midpoint (polymarket.md 5.8). */
const WIDE_SPREAD = 100_000n;

export interface BestPrices {
  bid: Price | null;
  ask: Price | null;
}

export interface Quote extends BestPrices {
  mark: Price;
}

/**
 * Returns a market's best prices and mark, in prices of the first token. The mark is the midpoint, or
 * the last trade if the spread is wide or a side is empty, or `fallback` if there was no trade.
 */
export function quote(best: BestPrices, lastTrade: Price | null, fallback: Price): Quote {
  return { ...best, mark: computeMidpoint(best) ?? lastTrade ?? fallback };
}

/** Returns the middle of a market's best prices; null if the spread is wide or a side is empty. */
export function computeMidpoint({ bid, ask }: BestPrices): Price | null {
  const isWide = bid === null || ask === null || ask - bid > WIDE_SPREAD;
  return isWide ? null : price((bid + ask) / 2n);
}

/** Returns the payout of a share after its market resolved. */
export function getPayoutPrice(isWinner: boolean): Price {
  return isWinner ? ONE : price(0n);
}
