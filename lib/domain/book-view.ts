import {
  add,
  larger,
  NO_USDC,
  notional,
  type Price,
  price,
  type Shares,
  subtract,
  type Usdc,
} from "@/lib/units";

export interface BookLevel {
  price: Price;
  shares: Shares;
}

/** One line of a displayed book. */
export interface BookLine extends BookLevel {
  /** Cumulative USDC from the best price to this line. */
  total: Usdc;
}

export interface BookView {
  bids: BookLine[];
  asks: BookLine[];
  /** The largest total of both sides, the scale of the depth bars. */
  deepest: Usdc;
  /** Null if a side is empty. */
  spread: Price | null;
}

interface ViewOptions {
  tick: Price;
  /** Ticks per line. */
  grouping: number;
  /** Lines per side. */
  depth: number;
}

/**
 * Groups a book's levels by price step and adds running totals. A line shows the worst price of its
 * step, so a user never gets a worse price than the one shown.
 */
export function viewBook(
  book: { bids: readonly BookLevel[]; asks: readonly BookLevel[] },
  options: ViewOptions,
): BookView {
  const step = price(options.tick * BigInt(options.grouping));
  const bids = groupLevels(book.bids, (at) => roundToLine(at, "bid", step), options.depth);
  const asks = groupLevels(book.asks, (at) => roundToLine(at, "ask", step), options.depth);
  const [bestBid, bestAsk] = [book.bids[0], book.asks[0]];
  return {
    bids,
    asks,
    deepest: larger(bids.at(-1)?.total ?? NO_USDC, asks.at(-1)?.total ?? NO_USDC),
    spread: bestBid && bestAsk ? subtract(bestAsk.price, bestBid.price) : null,
  };
}

/** Expects the levels best first, and returns the lines in the same order. */
function groupLevels(
  levels: readonly BookLevel[],
  roundToStep: (at: Price) => Price,
  depth: number,
): BookLine[] {
  const result: BookLine[] = [];
  let total = NO_USDC;
  for (const level of levels) {
    const at = roundToStep(level.price);
    total = add(total, notional(level.shares, level.price, "down"));
    const last = result.at(-1);
    if (last?.price === at) {
      last.shares = add(last.shares, level.shares);
      last.total = total;
    } else if (result.length === depth) {
      break;
    } else {
      result.push({ price: at, shares: level.shares, total });
    }
  }
  return result;
}

/** Rounds a price to its line: bids down to the step, asks up. */
export function roundToLine(at: Price, side: "bid" | "ask", step: Price): Price {
  const below = at - (at % step);
  return price(side === "bid" || below === at ? below : below + step);
}
