import { complement, parseMicro, type Price, price, type Shares, shares } from "@/lib/units";

interface BookLevel {
  price: Price;
  shares: Shares;
}

/** The order book of one outcome, in that outcome's prices. */
export interface OutcomeBook {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

interface WireLevel {
  price: number;
  shares: number;
}

/** Converts a JSON number to its exact micro value. Throws if it has more than six decimals. */
export function parseMicroNumber(value: number): bigint {
  const parsed = parseMicro(String(value));
  if (!parsed.ok) throw new Error(`${value} is not a number with six decimals`);
  return parsed.micro;
}

/** Converts a book from the API. The order of its levels doesn't matter: estimates sort by price. */
export function readBook(wire: {
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
}): OutcomeBook {
  return { bids: wire.bids.map(toLevel), asks: wire.asks.map(toLevel) };
}

/** Returns the other outcome's book: a bid for one outcome is an ask for the other, at 1 - price. */
export function mirrorBook(book: OutcomeBook): OutcomeBook {
  const mirrored = (level: BookLevel) => ({ ...level, price: complement(level.price) });
  return { bids: book.asks.map(mirrored), asks: book.bids.map(mirrored) };
}

export function findBestBid(book: OutcomeBook): Price | null {
  return book.bids.reduce<Price | null>(
    (best, level) => (best === null || level.price > best ? level.price : best),
    null,
  );
}

export function findBestAsk(book: OutcomeBook): Price | null {
  return book.asks.reduce<Price | null>(
    (best, level) => (best === null || level.price < best ? level.price : best),
    null,
  );
}

function toLevel(level: WireLevel): BookLevel {
  return {
    price: price(parseMicroNumber(level.price)),
    shares: shares(parseMicroNumber(level.shares)),
  };
}
