import "server-only";
import { formatMicro, ONE, type Price, type Shares, type Usdc } from "@/lib/units";

/** What an order offers and asks for, in base units of 1e-6. */
export interface OrderAmounts {
  maker: bigint;
  taker: bigint;
}

const DECIMALS = 6;
/** Lots are 0.01 shares, and market buys whole cents. */
const LOT_DECIMALS = 2;
/** The official client rounds up this many decimals further on before it cuts. */
const GUARD_DECIMALS = 4;

/**
 * The amounts of a resting order, as the official client rounds them (polymarket.md 3.6): lots of
 * 0.01 share, and a price on a grid whose product with them is exact.
 */
export function limitAmounts(
  side: "BUY" | "SELL",
  { price, size, tick }: { price: Price; size: Shares; tick: Price },
): OrderAmounts {
  const shares = cut(size, LOT_DECIMALS);
  const usdc = cutWithGuard(shares * roundHalfUp(price, priceDecimals(tick)), ONE, tick);
  return side === "BUY" ? { maker: usdc, taker: shares } : { maker: shares, taker: usdc };
}

/** A market BUY: USDC to spend for at least as many shares as the worst price gives. */
export function marketBuyAmounts(amount: Usdc, price: Price, tick: Price): OrderAmounts {
  const maker = cut(amount, LOT_DECIMALS);
  const taker = cutWithGuard(maker * ONE, cut(price, priceDecimals(tick)), tick);
  return { maker, taker };
}

/** A market SELL: shares to sell for at least what the worst price gives. */
export function marketSellAmounts(size: Shares, price: Price, tick: Price): OrderAmounts {
  const maker = cut(size, LOT_DECIMALS);
  const taker = cutWithGuard(maker * cut(price, priceDecimals(tick)), ONE, tick);
  return { maker, taker };
}

/** Decimals of a price on the grid: 4 for 0.0025. */
export function priceDecimals(tick: Price): number {
  return formatMicro(tick).split(".")[1]?.length ?? 0;
}

/** Cuts micro-units to so many decimals. */
function cut(micro: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(DECIMALS - decimals);
  return micro - (micro % step);
}

function roundHalfUp(micro: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(DECIMALS - decimals);
  return cut(micro + step / 2n, decimals);
}

/**
 * A quotient in micro-units, rounded up four decimals behind the last that counts and then cut to
 * that one, which is what the client's detour against float noise comes to.
 */
function cutWithGuard(dividend: bigint, divisor: bigint, tick: Price): bigint {
  const decimals = priceDecimals(tick) + LOT_DECIMALS;
  const guard = 10n ** BigInt(decimals + GUARD_DECIMALS);
  const scaled = dividend * guard;
  const unit = divisor * 10n ** BigInt(DECIMALS);
  const roundedUp = scaled % unit === 0n ? scaled / unit : scaled / unit + 1n;
  const last = roundedUp / 10n ** BigInt(GUARD_DECIMALS);
  return last * 10n ** BigInt(DECIMALS - decimals);
}
