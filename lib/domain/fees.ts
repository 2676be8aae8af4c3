import { divide, ONE, type Price, price, SCALE, type Shares, type Usdc, usdc } from "@/lib/units";

/** Fees are cut to multiples of 0.00001 USDC. */
const FEE_STEP = 10n;
const HALF = price(ONE / 2n);

/**
 * Computes the taker's fee on one fill: `shares * rate * p * (1 - p)`, cut to five decimals. Makers
 * pay no fee. The formula is Polymarket's for exponent 1, the only one in use (polymarket.md 5.7);
 * cutting, not rounding, keeps the fees of many small fills within the fee of one large one.
 *
 * @param feeRate micro-units: 70_000n is 0.07.
 */
export function computeTakerFee(size: Shares, at: Price, feeRate: bigint): Usdc {
  const spread = at * (ONE - at);
  const exact = divide(size * spread * feeRate, SCALE * SCALE * SCALE, "down");
  return usdc(exact - (exact % FEE_STEP));
}

/**
 * Computes the maximum fee of buying `size` shares at `limit` or better. `p * (1 - p)` peaks at one
 * half, so a higher limit has the fee of a fill at one half.
 */
export function computeMaxTakerFee(size: Shares, limit: Price, feeRate: bigint): Usdc {
  return computeTakerFee(size, limit < HALF ? limit : HALF, feeRate);
}

/**
 * Computes the maximum fee of spending `amount` at a price of at least `lowest`. A lower price buys more
 * shares, so the fee per dollar, `rate * (1 - p)`, peaks at the lowest price.
 */
export function computeMaxTakerFeeOfAmount(amount: Usdc, lowest: Price, feeRate: bigint): Usdc {
  return usdc(divide(amount * feeRate * (ONE - lowest), SCALE * SCALE, "up"));
}
