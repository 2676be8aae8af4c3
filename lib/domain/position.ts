import {
  add,
  averagePrice,
  divide,
  NO_SHARES,
  NO_USDC,
  notional,
  computePercent,
  type Price,
  type Shares,
  subtract,
  type Usdc,
  usdc,
} from "@/lib/units";
import { assert } from "@/lib/errors";

/** A holding of one token. `cost` is the purchase cost of the shares still held, without fees. */
export interface Holding {
  shares: Shares;
  cost: Usdc;
  realizedPnl: Usdc;
}

export const EMPTY_HOLDING: Holding = { shares: NO_SHARES, cost: NO_USDC, realizedPnl: NO_USDC };

export function applyBuy(holding: Holding, size: Shares, cost: Usdc): Holding {
  return { ...holding, shares: add(holding.shares, size), cost: add(holding.cost, cost) };
}

/**
 * Sells at average cost, so the average entry price of the remaining shares does not change. The
 * removed cost is rounded down; selling all shares removes all of it.
 */
export function applySell(holding: Holding, size: Shares, proceeds: Usdc): Holding {
  assert(size <= holding.shares && size > 0n, "a sale is covered by the holding");
  const removed = usdc(divide(holding.cost * size, holding.shares, "down"));
  return {
    shares: subtract(holding.shares, size),
    cost: subtract(holding.cost, removed),
    realizedPnl: add(holding.realizedPnl, subtract(proceeds, removed)),
  };
}

export interface Valuation {
  averagePrice: Price;
  value: Usdc;
  pnl: Usdc;
  /** Percent of cost, scale 6: 12_500_000n is 12.5 %. */
  pnlPercentMicro: bigint;
}

/** Values a non-empty holding at a price. The value is rounded down. */
export function valuate(holding: Holding, at: Price): Valuation {
  const value = notional(holding.shares, at, "down");
  const pnl = subtract(value, holding.cost);
  return {
    averagePrice: averagePrice(holding.cost, holding.shares),
    value,
    pnl,
    pnlPercentMicro: computePercent(pnl, holding.cost),
  };
}
