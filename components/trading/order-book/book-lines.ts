import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import type { LiveBookWire } from "@/lib/browser/book-store";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";
import { type BookLine, roundToLine, viewBook } from "@/lib/domain/book-view";
import { parseMicroNumber, parseRemaining, readBook } from "@/lib/domain/ticket/book";
import { complement, microToNumber, type Price, price } from "@/lib/units";

/** An open order of the account. */
export interface OwnOrder {
  id: string;
  idempotencyKey: string | null;
  tokenId: string;
  outcome: string;
  action: "BUY" | "SELL";
  price: number;
  /** The unfilled shares. */
  shares: number;
}

/** Returns the account's orders that rest in a market's book. */
export function toOwnOrders(
  orders: OwnMarketWire["orders"],
  outcomes: readonly { name: string; tokenId: string }[],
): OwnOrder[] {
  return orders.flatMap((order) => {
    const outcome = outcomes.find(({ name }) => name === order.outcome);
    if (order.status !== "open" || order.price === null || !outcome) return [];
    const { id, idempotencyKey, action, price: at } = order;
    const { tokenId, name } = outcome;
    const size = microToNumber(parseRemaining(order));
    return [{ id, idempotencyKey, tokenId, outcome: name, action, price: at, shares: size }];
  });
}

/** A line of the book as a row shows it. */
export interface ShownLine {
  /** The price as in the API. */
  price: number;
  /** The shares from the best price up to and including this line. */
  upTo: number;
  priceText: string;
  sharesText: string;
  /** The shares and the dollars from the best price up to and including this line. */
  upToText: string;
  totalText: string;
  /** The cumulative depth in percent of the deepest line. */
  depth: number;
  /** The account's orders in this line. */
  own: readonly OwnOrder[];
  /** The size of these orders; empty without any. */
  ownText: string;
}

export interface ShownBook {
  /** Best first, filled up with nulls. */
  bids: readonly (ShownLine | null)[];
  asks: readonly (ShownLine | null)[];
  /** "2¢"; null while a side is empty. */
  spreadText: string | null;
  /** The middle between the best bid and offer, "38.5¢"; null while a side is empty. */
  middleText: string | null;
}

interface BookOptions {
  grouping: number;
  rows: number;
}

/** Converts a live book to rows. */
export function toShownBook(
  live: LiveBookWire,
  orders: readonly OwnOrder[],
  { grouping, rows }: BookOptions,
): ShownBook {
  const { book } = live;
  const tick = price(parseMicroNumber(Number(book.tickSize)));
  const view = viewBook(readBook(book), { tick, grouping, depth: rows });
  const step = price(tick * BigInt(grouping));
  const own = groupByLine(orders, book.tokenId, step);
  const show = (lines: readonly BookLine[], side: "bid" | "ask") => {
    let upTo = 0n;
    const shown = lines.map((line) => {
      upTo += line.shares;
      const mine = own.get(`${side}/${line.price}`) ?? NONE;
      return {
        price: microToNumber(line.price),
        upTo: microToNumber(upTo),
        priceText: formatPrice(microToNumber(line.price), book.tickSize),
        sharesText: formatShares(microToNumber(line.shares)),
        upToText: formatShares(microToNumber(upTo)),
        totalText: formatMoney(microToNumber(line.total)),
        depth: view.deepest === 0n ? 0 : Number((line.total * 100n) / view.deepest),
        own: mine,
        ownText: mine.length === 0 ? "" : formatShares(sumShares(mine)),
      };
    });
    return Array.from({ length: rows }, (_, index) => shown[index] ?? null);
  };
  return {
    bids: show(view.bids, "bid"),
    asks: show(view.asks, "ask"),
    spreadText:
      view.spread === null ? null : formatPrice(microToNumber(view.spread), book.tickSize),
    middleText: formatMiddle(book),
  };
}

/** Half a tick needs one decimal more than the grid. */
function formatMiddle({ bids, asks, tickSize }: LiveBookWire["book"]): string | null {
  const [bid, ask] = [bids[0], asks[0]];
  if (!bid || !ask) return null;
  const double = parseMicroNumber(bid.price) + parseMicroNumber(ask.price);
  const isOnGrid = double % (2n * parseMicroNumber(Number(tickSize))) === 0n;
  return formatPrice(microToNumber(double / 2n), tickSize, isOnGrid ? 0 : 1);
}

const sumShares = (orders: readonly OwnOrder[]) =>
  microToNumber(orders.reduce((sum, order) => sum + parseMicroNumber(order.shares), 0n));

const NONE: readonly OwnOrder[] = [];

/** A buy of one outcome is an ask in the other outcome's book, at 1 - price. */
function groupByLine(
  orders: readonly OwnOrder[],
  tokenId: string,
  step: Price,
): Map<string, OwnOrder[]> {
  const byLine = new Map<string, OwnOrder[]>();
  for (const order of orders) {
    const isSameToken = order.tokenId === tokenId;
    const own = price(parseMicroNumber(order.price));
    const side = (order.action === "BUY") === isSameToken ? "bid" : "ask";
    const key = `${side}/${roundToLine(isSameToken ? own : complement(own), side, step)}`;
    byLine.set(key, [...(byLine.get(key) ?? []), order]);
  }
  return byLine;
}
