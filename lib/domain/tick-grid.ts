import { larger, ONE, type Price, price, smaller } from "@/lib/units";

/**
 * Prices live on a grid: multiples of the market's tick from one tick to one dollar less a tick.
 * Ticks are data. Venues add new ones, so nothing here lists them.
 */
export function isOnGrid(at: Price, tick: Price): boolean {
  return at >= tick && at <= ONE - tick && at % tick === 0n;
}

/** The highest grid price not above `at`, or the grid's lowest. */
export function floorToGrid(at: bigint, tick: Price): Price {
  return clampToGrid(at - (((at % tick) + tick) % tick), tick);
}

/** The lowest grid price not below `at`, or the grid's highest. */
export function ceilToGrid(at: bigint, tick: Price): Price {
  const remainder = ((at % tick) + tick) % tick;
  return clampToGrid(remainder === 0n ? at : at + tick - remainder, tick);
}

/** The two grid prices around an off-grid price; both are the same bound outside the grid. */
export function neighbors(at: Price, tick: Price): [Price, Price] {
  return [floorToGrid(at, tick), ceilToGrid(at, tick)];
}

function clampToGrid(at: bigint, tick: Price): Price {
  return price(larger(tick, smaller(at, ONE - tick)));
}
