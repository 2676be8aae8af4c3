import { larger, ONE, type Price, price, smaller } from "@/lib/units";

/**
 * Whether a price is on the grid: a multiple of the market's tick, from one tick to $1 minus one tick.
 * The tick sizes are not listed here, because venues add new ones.
 */
export function isOnGrid(at: Price, tick: Price): boolean {
  return at >= tick && at <= ONE - tick && at % tick === 0n;
}

/** Rounds a price down to the grid. Below the grid, returns its lowest price. */
export function floorToGrid(at: bigint, tick: Price): Price {
  return clampToGrid(at - (((at % tick) + tick) % tick), tick);
}

/** Rounds a price up to the grid. Above the grid, returns its highest price. */
export function ceilToGrid(at: bigint, tick: Price): Price {
  const remainder = ((at % tick) + tick) % tick;
  return clampToGrid(remainder === 0n ? at : at + tick - remainder, tick);
}

/** Returns the grid prices below and above a price; twice the same bound outside of the grid. */
export function getNeighbors(at: Price, tick: Price): [Price, Price] {
  return [floorToGrid(at, tick), ceilToGrid(at, tick)];
}

function clampToGrid(at: bigint, tick: Price): Price {
  return price(larger(tick, smaller(at, ONE - tick)));
}
