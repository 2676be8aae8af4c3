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
  /** USDC that stands from the best price down to this line. */
  total: Usdc;
}

export interface BookView {
  bids: BookLine[];
  asks: BookLine[];
  /** The largest total shown on either side: what depth bars are measured by. */
  deepest: Usdc;
  /** Null while a side is empty. */
  spread: Price | null;
}

/** How a book is to be shown. */
interface ViewTerms {
  tick: Price;
  /** Ticks per line. */
  grouping: number;
  /** Lines per side. */
  depth: number;
}

/**
 * A book as it is shown: levels put together by price step, with running totals. A line's price is
 * the worst of its step, so that nobody is shown a better price than they get.
 */
export function viewBook(
  book: { bids: readonly BookLevel[]; asks: readonly BookLevel[] },
  terms: ViewTerms,
): BookView {
  const step = price(terms.tick * BigInt(terms.grouping));
  const bids = lines(book.bids, (at) => lineOf(at, "bid", step), terms.depth);
  const asks = lines(book.asks, (at) => lineOf(at, "ask", step), terms.depth);
  const [bestBid, bestAsk] = [book.bids[0], book.asks[0]];
  return {
    bids,
    asks,
    deepest: larger(bids.at(-1)?.total ?? NO_USDC, asks.at(-1)?.total ?? NO_USDC),
    spread: bestBid && bestAsk ? subtract(bestAsk.price, bestBid.price) : null,
  };
}

/** Levels come best first, so steps do too. */
function lines(
  levels: readonly BookLevel[],
  stepOf: (at: Price) => Price,
  depth: number,
): BookLine[] {
  const result: BookLine[] = [];
  let total = NO_USDC;
  for (const level of levels) {
    const at = stepOf(level.price);
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

/** The line that shows a price: bids are put down to their step, asks up. */
export function lineOf(at: Price, side: "bid" | "ask", step: Price): Price {
  const below = at - (at % step);
  return price(side === "bid" || below === at ? below : below + step);
}
