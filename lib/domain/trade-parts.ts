import { computeTakerFee } from "@/lib/domain/fees";
import type { Action } from "@/lib/domain/settlement";
import {
  divide,
  notional,
  type Price,
  price,
  SCALE,
  type Shares,
  sum,
  type Usdc,
} from "@/lib/units";

/** An order's trade with one counterparty, at the price of the order's own token. */
export interface TradePart {
  price: Price;
  shares: Shares;
}

export const sumShares = (parts: readonly TradePart[]): Shares =>
  sum(parts.map(({ shares }) => shares));

/**
 * Sums the USDC of the parts. The exchange contract settles each maker separately and rounds down to
 * the micro-unit, for buyer and seller alike, so each part is rounded down before the sum.
 */
export const sumNotional = (parts: readonly TradePart[]): Usdc =>
  sum(parts.map((part) => notional(part.shares, part.price, "down")));

/** Sums the taker's fees. The exchange computes and cuts the fee separately for each maker. */
export const sumTakerFees = (parts: readonly TradePart[], feeRate: bigint): Usdc =>
  sum(parts.map((part) => computeTakerFee(part.shares, part.price, feeRate)));

/**
 * Computes the price of a fill: the makers' price if all have the same one, else the average. The
 * average is rounded away from the order's limit, so that rounding can't exceed the limit.
 */
export function computeFillPrice(parts: readonly TradePart[], paid: Usdc, action: Action): Price {
  const [first, ...others] = parts;
  if (first && others.every((part) => part.price === first.price)) return first.price;
  return price(divide(paid * SCALE, sumShares(parts), action === "BUY" ? "down" : "up"));
}
