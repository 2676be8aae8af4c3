import "server-only";
import { formatMicro, ONE, type Price, type Shares, type Usdc } from "@/lib/units";

/** The amounts that an order offers (maker) and asks for (taker), in base units of 1e-6. */
export interface OrderAmounts {
  maker: bigint;
  taker: bigint;
}

const DECIMALS = 6;
/** Sizes are multiples of 0.01 shares, and market buys spend whole cents. */
const LOT_DECIMALS = 2;
/** The official client rounds up at this many further decimals before it truncates. */
const GUARD_DECIMALS = 4;

/**
 * Computes the amounts of a limit order with the rounding of the official client (polymarket.md 3.6):
 * lots of 0.01 shares, and a price on the tick, so that their product is exact.
 */
export function computeLimitAmounts(
  side: "BUY" | "SELL",
  { price, size, tick }: { price: Price; size: Shares; tick: Price },
): OrderAmounts {
  const shares = truncate(size, LOT_DECIMALS);
  const usdc = divideLikeClient(shares * roundHalfUp(price, countPriceDecimals(tick)), ONE, tick);
  return side === "BUY" ? { maker: usdc, taker: shares } : { maker: shares, taker: usdc };
}

/** Computes a market BUY: the USDC to spend, and the shares at the worst price. */
export function computeMarketBuyAmounts(amount: Usdc, price: Price, tick: Price): OrderAmounts {
  const maker = truncate(amount, LOT_DECIMALS);
  const taker = divideLikeClient(maker * ONE, truncate(price, countPriceDecimals(tick)), tick);
  return { maker, taker };
}

/** Computes a market SELL: the shares to sell, and the USDC at the worst price. */
export function computeMarketSellAmounts(size: Shares, price: Price, tick: Price): OrderAmounts {
  const maker = truncate(size, LOT_DECIMALS);
  const taker = divideLikeClient(maker * truncate(price, countPriceDecimals(tick)), ONE, tick);
  return { maker, taker };
}

/** Returns the number of decimals of a tick size: 4 for 0.0025. */
export function countPriceDecimals(tick: Price): number {
  return formatMicro(tick).split(".")[1]?.length ?? 0;
}

/** Truncates micro-units to this number of decimals. */
function truncate(micro: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(DECIMALS - decimals);
  return micro - (micro % step);
}

function roundHalfUp(micro: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(DECIMALS - decimals);
  return truncate(micro + step / 2n, decimals);
}

/**
 * Divides micro-units. Rounds up at four further decimals and then truncates, which equals the
 * client's correction of float noise.
 */
function divideLikeClient(dividend: bigint, divisor: bigint, tick: Price): bigint {
  const decimals = countPriceDecimals(tick) + LOT_DECIMALS;
  const guard = 10n ** BigInt(decimals + GUARD_DECIMALS);
  const scaled = dividend * guard;
  const unit = divisor * 10n ** BigInt(DECIMALS);
  const roundedUp = scaled % unit === 0n ? scaled / unit : scaled / unit + 1n;
  const last = roundedUp / 10n ** BigInt(GUARD_DECIMALS);
  return last * 10n ** BigInt(DECIMALS - decimals);
}
