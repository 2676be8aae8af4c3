import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import type { LiveBookWire, OwnOrderWire } from "@/lib/browser/book-store";
import { type BookLevel, type BookLine, roundToLine, viewBook } from "@/lib/domain/book-view";
import { complement, microToNumber, parseMicro, type Price, price, shares } from "@/lib/units";

/** A line of the book as a row shows it. */
export interface ShownLine {
  /** The price as in the API. */
  price: number;
  /** The shares from the best price up to and including this line. */
  upTo: number;
  priceText: string;
  sharesText: string;
  totalText: string;
  /** The cumulative depth in percent of the deepest line. */
  depth: number;
  /** The account's orders in this line. */
  own: readonly OwnOrderWire[];
}

export interface ShownBook {
  /** Best first, filled up with nulls. */
  bids: readonly (ShownLine | null)[];
  asks: readonly (ShownLine | null)[];
  /** "2¢"; null while a side is empty. */
  spreadText: string | null;
}

interface BookOptions {
  grouping: number;
  rows: number;
}

/** Converts a live book to rows. */
export function toShownBook(
  live: LiveBookWire,
  orders: readonly OwnOrderWire[],
  { grouping, rows }: BookOptions,
): ShownBook {
  const { book } = live;
  const tick = price(parseMicroOrZero(book.tickSize));
  const view = viewBook(
    { bids: book.bids.map(toLevel), asks: book.asks.map(toLevel) },
    { tick, grouping, depth: rows },
  );
  const step = price(tick * BigInt(grouping));
  const own = groupByLine(orders, book.tokenId, step);
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

/** A buy of one outcome is an ask in the other outcome's book, at 1 - price. */
function groupByLine(
  orders: readonly OwnOrderWire[],
  tokenId: string,
  step: Price,
): Map<string, OwnOrderWire[]> {
  const byLine = new Map<string, OwnOrderWire[]>();
  for (const order of orders) {
    const isSameToken = order.tokenId === tokenId;
    const own = price(parseMicroOrZero(order.price));
    const side = (order.action === "BUY") === isSameToken ? "bid" : "ask";
    const key = `${side}/${roundToLine(isSameToken ? own : complement(own), side, step)}`;
    byLine.set(key, [...(byLine.get(key) ?? []), order]);
  }
  return byLine;
}

function toLevel(level: { price: number; shares: number }): BookLevel {
  return {
    price: price(parseMicroOrZero(level.price)),
    shares: shares(parseMicroOrZero(level.shares)),
  };
}

function parseMicroOrZero(value: number | string): bigint {
  const parsed = parseMicro(String(value));
  return parsed.ok ? parsed.micro : 0n;
}
