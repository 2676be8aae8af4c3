import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import type { LiveBookWire, OwnOrderWire } from "@/lib/client/book-store";
import { type BookLevel, type BookLine, lineOf, viewBook } from "@/lib/domain/book-view";
import { complement, microToNumber, parseMicro, type Price, price, shares } from "@/lib/units";

/** A line of the book as text: what a row shows, and nothing else. */
export interface ShownLine {
  /** The line's price on the wire. */
  price: number;
  /** Shares from the best price to this line. */
  upTo: number;
  priceText: string;
  sharesText: string;
  totalText: string;
  /** 0 to 100: how deep the book is to here, against the deepest line. */
  depth: number;
  /** Own orders in this line. */
  own: readonly OwnOrderWire[];
}

export interface ShownBook {
  /** Best first; null where the book has fewer lines than there are rows. */
  bids: readonly (ShownLine | null)[];
  asks: readonly (ShownLine | null)[];
  /** "2¢", or null while a side is empty. */
  spreadText: string | null;
}

interface Terms {
  grouping: number;
  rows: number;
}

/** Turns what came over the wire into the rows of the book. */
export function showBook(
  live: LiveBookWire,
  orders: readonly OwnOrderWire[],
  { grouping, rows }: Terms,
): ShownBook {
  const { book } = live;
  const tick = price(microOf(book.tickSize));
  const view = viewBook(
    { bids: book.bids.map(toLevel), asks: book.asks.map(toLevel) },
    { tick, grouping, depth: rows },
  );
  const step = price(tick * BigInt(grouping));
  const own = ownByLine(orders, book.tokenId, step);
  const show = (lines: readonly BookLine[], side: "bid" | "ask") => {
    let upTo = 0n;
    const shown = lines.map((line) => {
      upTo += line.shares;
      return {
        price: microToNumber(line.price),
        upTo: microToNumber(upTo),
        priceText: formatPrice(microToNumber(line.price), book.tickSize),
        sharesText: formatShares(microToNumber(line.shares)),
        totalText: formatMoney(microToNumber(line.total)),
        depth: view.deepest === 0n ? 0 : Number((line.total * 100n) / view.deepest),
        own: own.get(`${side}/${line.price}`) ?? NONE,
      };
    });
    return Array.from({ length: rows }, (_, index) => shown[index] ?? null);
  };
  return {
    bids: show(view.bids, "bid"),
    asks: show(view.asks, "ask"),
    spreadText:
      view.spread === null ? null : formatPrice(microToNumber(view.spread), book.tickSize),
  };
}

const NONE: readonly OwnOrderWire[] = [];

/** Buying one outcome stands in the other's book as an offer, at what is left to one dollar. */
function ownByLine(
  orders: readonly OwnOrderWire[],
  tokenId: string,
  step: Price,
): Map<string, OwnOrderWire[]> {
  const byLine = new Map<string, OwnOrderWire[]>();
  for (const order of orders) {
    const isSameToken = order.tokenId === tokenId;
    const own = price(microOf(order.price));
    const side = (order.action === "BUY") === isSameToken ? "bid" : "ask";
    const key = `${side}/${lineOf(isSameToken ? own : complement(own), side, step)}`;
    byLine.set(key, [...(byLine.get(key) ?? []), order]);
  }
  return byLine;
}

function toLevel(level: { price: number; shares: number }): BookLevel {
  return { price: price(microOf(level.price)), shares: shares(microOf(level.shares)) };
}

function microOf(value: number | string): bigint {
  const parsed = parseMicro(String(value));
  return parsed.ok ? parsed.micro : 0n;
}
