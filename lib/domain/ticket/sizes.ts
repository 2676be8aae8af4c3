import { worstTakerFee, worstTakerFeeOfAmount } from "@/lib/domain/fees";
import { LOT } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import {
  divide,
  formatMicro,
  notional,
  type Price,
  SCALE,
  type Shares,
  shares,
  type Usdc,
  usdc,
} from "@/lib/units";

const CENT = 10_000n;

/** What an order must have available, as the exchange reserves it: the cost with the worst fee. */
export function needOfAmount(amount: Usdc, best: Price, feeRate: bigint): Usdc {
  return usdc(amount + worstTakerFeeOfAmount(amount, best, feeRate));
}

export function needOfShares(size: Shares, limit: Price, feeRate: bigint): Usdc {
  return usdc(notional(size, limit, "up") + worstTakerFee(size, limit, feeRate));
}

/** The most that a market buy can spend, in whole cents. */
export function maxAmount(available: Usdc, best: Price, feeRate: bigint): Usdc {
  const guess = divide(available * SCALE, SCALE + feeRate, "down");
  return usdc(highest(guess, available, CENT, (at) => needOfAmount(usdc(at), best, feeRate)));
}

/** The most shares that a limit buy can be for. */
export function maxShares(available: Usdc, limit: Price, feeRate: bigint): Shares {
  const guess = divide(available * SCALE, limit + feeRate, "down");
  return shares(highest(guess, available, LOT, (at) => needOfShares(shares(at), limit, feeRate)));
}

/** A part of the shares that are free to sell, in whole lots. */
export function shareOf(free: Shares, percent: bigint): Shares {
  return shares(downTo((free * percent) / 100n, LOT));
}

/** What a field says after a chip added to it or took from it; never below nothing. */
export function addTo(current: bigint, change: bigint): string {
  const next = current + change;
  return next > 0n ? formatMicro(next) : "";
}

/** Bid, middle and ask, as prices of the grid that favor the user. */
export function middleOf(
  bid: Price,
  ask: Price,
  { action, tick }: { action: Action; tick: Price },
) {
  const middle = (bid + ask) / 2n;
  const below = middle - (middle % tick);
  return (action === "BUY" || below === middle ? below : below + tick) as Price;
}

/**
 * The highest multiple of a step whose need is covered. A need grows with its size, so the step is
 * found between a guess that is certainly covered and one that is not.
 */
function highest(
  guess: bigint,
  available: Usdc,
  step: bigint,
  need: (at: bigint) => bigint,
): bigint {
  let low = downTo(guess, step);
  if (need(low) > available) low = 0n;
  let high = low === 0n ? step : low * 2n + step;
  while (need(high) <= available) high *= 2n;
  while (high - low > step) {
    const middle = downTo((low + high) / 2n, step);
    if (need(middle) <= available) low = middle;
    else high = middle;
  }
  return low;
}

const downTo = (value: bigint, step: bigint) => value - (value % step);
