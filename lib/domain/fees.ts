import {
  divide,
  ONE,
  type Price,
  price,
  type Rounding,
  SCALE,
  type Shares,
  type Usdc,
  usdc,
} from "@/lib/units";

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

/** The rates of a builder's fees: hundredths of a percent of what a fill pays, on top of the venue's fee. */
export interface BuilderFees {
  takerBps: bigint;
  makerBps: bigint;
}

export const NO_BUILDER_FEES: BuilderFees = { takerBps: 0n, makerBps: 0n };
/** The venue's limits of a builder's fees (polymarket-wallets.md 7). */
export const MAX_BUILDER_FEES: BuilderFees = { takerBps: 100n, makerBps: 50n };
const BPS = 10_000n;

/** Computes a builder's fee on an amount: `amount * bps / 10,000`. */
export function computeBuilderFee(amount: Usdc, bps: bigint, rounding: Rounding): Usdc {
  return usdc(divide(amount * bps, BPS, rounding));
}

/** Computes the highest builder's fee on an amount that trades as taker or maker. */
export function computeMaxBuilderFee(amount: Usdc, { takerBps, makerBps }: BuilderFees): Usdc {
  return computeBuilderFee(amount, takerBps > makerBps ? takerBps : makerBps, "up");
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
