import { complement, parseMicro, type Price, price, type Shares, shares } from "@/lib/units";

interface BookLevel {
  price: Price;
  shares: Shares;
}

/** What can be traded of one outcome, in its own prices. */
export interface OutcomeBook {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

interface WireLevel {
  price: number;
  shares: number;
}

/** The micro value of a JSON number, exactly. Throws on what no answer of ours contains. */
export function microOf(value: number): bigint {
  const parsed = parseMicro(String(value));
  if (!parsed.ok) throw new Error(`${value} is not a number with six decimals`);
  return parsed.micro;
}

/** A book as the interface sends it. Its order is not trusted: estimates sort by price. */
export function readBook(wire: {
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
}): OutcomeBook {
  return { bids: wire.bids.map(toLevel), asks: wire.asks.map(toLevel) };
}

/** The other outcome's book: who bids for one offers the other, at one minus the price. */
export function mirrorBook(book: OutcomeBook): OutcomeBook {
  const mirrored = (level: BookLevel) => ({ ...level, price: complement(level.price) });
  return { bids: book.asks.map(mirrored), asks: book.bids.map(mirrored) };
}

export function bestBid(book: OutcomeBook): Price | null {
  return book.bids.reduce<Price | null>(
    (best, level) => (best === null || level.price > best ? level.price : best),
    null,
  );
}

export function bestAsk(book: OutcomeBook): Price | null {
  return book.asks.reduce<Price | null>(
    (best, level) => (best === null || level.price < best ? level.price : best),
    null,
  );
}

function toLevel(level: WireLevel): BookLevel {
  return { price: price(microOf(level.price)), shares: shares(microOf(level.shares)) };
}
