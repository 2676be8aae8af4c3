import { divide, ONE, type Price, price, SCALE, type Shares, type Usdc, usdc } from "@/lib/units";

/** Fees are whole multiples of 0.00001 USDC; what is smaller is not charged. */
const FEE_STEP = 10n;
const HALF = price(ONE / 2n);

/**
 * The taker's fee on one fill: `shares * rate * p * (1 - p)`, cut to five decimals. Makers pay
 * nothing. The formula is Polymarket's for exponent 1, the only one in use (polymarket.md 5.7);
 * cutting, not rounding, keeps the fees of many small fills within the fee of one large one.
 *
 * @param feeRate micro-units: 70_000n is 0.07.
 */
export function takerFee(size: Shares, at: Price, feeRate: bigint): Usdc {
  const spread = at * (ONE - at);
  const exact = divide(size * spread * feeRate, SCALE * SCALE * SCALE, "down");
  return usdc(exact - (exact % FEE_STEP));
}

/**
 * The highest fee that buying `size` shares at `limit` or better can cost: `p * (1 - p)` peaks at
 * one half, so a limit above it is charged as if filled there.
 */
export function worstTakerFee(size: Shares, limit: Price, feeRate: bigint): Usdc {
  return takerFee(size, limit < HALF ? limit : HALF, feeRate);
}

/**
 * The highest fee that spending `amount` at no less than `lowest` a share can cost. The shares
 * bought grow as the price falls, so the fee per dollar, `rate * (1 - p)`, peaks at the lowest.
 */
export function worstTakerFeeOfAmount(amount: Usdc, lowest: Price, feeRate: bigint): Usdc {
  return usdc(divide(amount * feeRate * (ONE - lowest), SCALE * SCALE, "up"));
}
