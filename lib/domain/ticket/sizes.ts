import type { Action } from "@/lib/domain/settlement";
import { divide, formatMicro, type Price, SCALE, smaller, type Usdc } from "@/lib/units";

/** Sizes are whole cents, or whole lots of a hundredth of a share. */
export const SIZE_STEP = 10_000n;

/** Returns a percentage of the largest size, rounded down to a size of an order. */
export function computePart(largest: bigint, percent: bigint): bigint {
  return downTo((largest * percent) / 100n, SIZE_STEP);
}

/**
 * Returns how much of the largest size a size is, in whole percent from 0 to 100. The nearest percent,
 * because a part is rounded down; but 100 only for the largest part.
 */
export function computePartPercent(size: bigint, largest: bigint): number {
  const most = computePart(largest, 100n);
  if (most <= 0n) return 0;
  if (size >= most) return 100;
  return Number(smaller((size * 100n + largest / 2n) / largest, 99n));
}

/**
 * Returns the part that the slider chooses when it moves from a size to a percentage. Several percents
 * of a small balance can be the same size. Then the slider goes on in its direction to the next size.
 */
export function computeNextPart(
  largest: bigint,
  { size, percent }: { size: bigint; percent: number },
): bigint {
  const from = computePartPercent(size, largest);
  const step = percent < from ? -1 : 1;
  const hasMoved = (part: bigint) => (computePartPercent(part, largest) - from) * step > 0;
  let at = percent;
  while (at > 0 && at < 100 && !hasMoved(computePart(largest, BigInt(at)))) at += step;
  return computePart(largest, BigInt(at));
}

/** Returns a field's text after a quick-add button changed it; empty at or below zero. */
export function addTo(current: bigint, change: bigint): string {
  const next = current + change;
  return next > 0n ? formatMicro(next) : "";
}

/** Returns the middle of bid and ask on the grid, rounded in the user's favor. */
export function computeMiddle(
  bid: Price,
  ask: Price,
  { action, tick }: { action: Action; tick: Price },
) {
  const middle = (bid + ask) / 2n;
  const below = middle - (middle % tick);
  return (action === "BUY" || below === middle ? below : below + tick) as Price;
}

/**
 * Finds the highest multiple of `step` whose need is at most `available`, by binary search. The need
 * must grow with the size, and be at least the size times `unitCost`.
 */
export function findHighest(
  available: Usdc,
  { step, unitCost, need }: { step: bigint; unitCost: bigint; need: (at: bigint) => bigint },
): bigint {
  let low = 0n;
  let high = downTo(divide(available * SCALE, unitCost, "down"), step) + step;
  while (high - low > step) {
    const middle = downTo((low + high) / 2n, step);
    if (need(middle) <= available) low = middle;
    else high = middle;
  }
  return low;
}

const downTo = (value: bigint, step: bigint) => value - (value % step);
