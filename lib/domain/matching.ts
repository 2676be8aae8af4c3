import {
  divide,
  NO_SHARES,
  NO_USDC,
  ONE,
  type Price,
  SCALE,
  type Shares,
  type Usdc,
  shares,
  smaller,
  subtract,
  usdc,
} from "@/lib/units";
import { roundToLots } from "@/lib/domain/lots";

/**
 * A market has one book for both tokens, in prices of its first token. Buying the first token and
 * selling the second are bids. Selling the first and buying the second are asks, at one minus the
 * second token's price. Only a bid and an ask match.
 */
export type BookSide = "bid" | "ask";

/** Maximum number of levels per side of a displayed book. */
export const BOOK_DEPTH = 1_000;

export interface RestingOrder {
  id: string;
  ownerId: string;
  side: BookSide;
  price: Price;
  remaining: Shares;
  /** Time priority among orders at one price: the lower sequence trades first. */
  sequence: bigint;
}

/** A level of the house: liquidity that belongs to no user. Users' orders at its price trade first. */
export interface HouseLevel {
  side: BookSide;
  price: Price;
  size: Shares;
}

export interface Book {
  orders: readonly RestingOrder[];
  house: readonly HouseLevel[];
}

export type Budget = { kind: "shares"; shares: Shares } | { kind: "amount"; amount: Usdc };

export interface Taker {
  ownerId: string;
  side: BookSide;
  /** Worst acceptable book price: the highest for a bid, the lowest for an ask. */
  limit: Price;
  budget: Budget;
}

export type Maker = { kind: "order"; order: RestingOrder } | { kind: "house"; level: HouseLevel };

/** A trade at the maker's price. */
interface Match {
  maker: Maker;
  price: Price;
  size: Shares;
}

export interface MatchResult {
  matches: Match[];
  /** The taker's own resting orders that it would have matched. The caller cancels them. */
  selfCrossed: RestingOrder[];
  /** The unspent budget. */
  left: Budget;
  /** Whether the unspent budget does not buy another lot. */
  isComplete: boolean;
}

/** A house quote that crosses a resting order and fills it at the order's own price. */
export interface SweepMatch {
  order: RestingOrder;
  level: HouseLevel;
  size: Shares;
}

export const oppositeSide = (side: BookSide): BookSide => (side === "bid" ? "ask" : "bid");

/** Whether a bid at `limit` would trade with an ask at `at`, or the reverse. */
export function crosses(side: BookSide, limit: Price, at: Price): boolean {
  return side === "bid" ? at <= limit : at >= limit;
}

/** Returns the USDC that a taker on `side` pays per share at a book price. */
export function getTakerPrice(side: BookSide, at: Price): Price {
  return side === "bid" ? at : (subtract(ONE, at) as Price);
}

/**
 * Matches a taker against the book in price-time priority, at the makers' prices. Deterministic and
 * without side effects. Self-trade prevention: the taker's own resting orders don't match. They are
 * returned in `selfCrossed`, to be canceled, because the newer order takes precedence.
 */
export function match(book: Book, taker: Taker): MatchResult {
  const matches: Match[] = [];
  const selfCrossed: RestingOrder[] = [];
  let left = taker.budget;
  let isComplete = false;
  for (const maker of queue(book, oppositeSide(taker.side))) {
    const at = getMakerPrice(maker);
    if (!crosses(taker.side, taker.limit, at)) break;
    isComplete = computeAffordable(left, taker.side, at) === 0n;
    if (isComplete) break;
    if (maker.kind === "order" && maker.order.ownerId === taker.ownerId) {
      selfCrossed.push(maker.order);
      continue;
    }
    const size = smaller(computeAffordable(left, taker.side, at), getMakerSize(maker));
    matches.push({ maker, price: at, size });
    left = spend(left, taker.side, at, size);
  }
  isComplete ||= computeAffordable(left, taker.side, taker.limit) === 0n;
  return { matches, selfCrossed, left, isComplete };
}

/**
 * Matches resting orders with the house quotes that have reached them, in price-time priority, each
 * at its own limit price.
 */
export function sweep(book: Book): SweepMatch[] {
  return (["bid", "ask"] as const).flatMap((side) => sweepSide(book, side));
}

function sweepSide(book: Book, side: BookSide): SweepMatch[] {
  const matches: SweepMatch[] = [];
  const quotes = houseQueue(book, oppositeSide(side)).map((level) => ({ level, left: level.size }));
  for (const order of orderQueue(book, side)) {
    let open = order.remaining;
    for (const quote of quotes) {
      if (open === 0n || !crosses(side, order.price, quote.level.price)) break;
      const size = smaller(open, quote.left);
      if (size === 0n) continue;
      matches.push({ order, level: quote.level, size });
      open = subtract(open, size);
      quote.left = subtract(quote.left, size);
    }
  }
  return matches;
}

/** Returns the book after trades and cancels, without empty orders and levels. */
export function reduceBook(
  book: Book,
  taken: readonly { maker: Maker; size: Shares }[],
  canceled: readonly RestingOrder[] = [],
): Book {
  const canceledIds = new Set(canceled.map((order) => order.id));
  const takenByOrder = new Map<string, bigint>();
  const takenByLevel = new Map<string, bigint>();
  for (const { maker, size } of taken) {
    const [map, key] =
      maker.kind === "order"
        ? [takenByOrder, maker.order.id]
        : [takenByLevel, createLevelKey(maker.level)];
    map.set(key, (map.get(key) ?? 0n) + size);
  }
  return {
    orders: book.orders
      .filter((order) => !canceledIds.has(order.id))
      .map((order) => ({
        ...order,
        remaining: shares(order.remaining - (takenByOrder.get(order.id) ?? 0n)),
      }))
      .filter((order) => order.remaining > 0n),
    house: book.house
      .map((level) => ({
        ...level,
        size: shares(level.size - (takenByLevel.get(createLevelKey(level)) ?? 0n)),
      }))
      .filter((level) => level.size > 0n),
  };
}

/** Returns the displayed book: resting orders and the house quotes that will fill them are removed. */
export function uncross(book: Book): Book {
  const taken = sweep(book).flatMap(({ order, level, size }): { maker: Maker; size: Shares }[] => [
    { maker: { kind: "order", order }, size },
    { maker: { kind: "house", level }, size },
  ]);
  return reduceBook(book, taken);
}

/** Sums users' orders and house quotes per price, best price first on each side. */
export function addUpLevels(book: Book): HouseLevel[] {
  return (["bid", "ask"] as const).flatMap((side) => {
    const sizes = new Map<Price, bigint>();
    for (const maker of queue(book, side)) {
      const at = getMakerPrice(maker);
      sizes.set(at, (sizes.get(at) ?? 0n) + getMakerSize(maker));
    }
    return [...sizes]
      .slice(0, BOOK_DEPTH)
      .map(([price, size]) => ({ side, price, size: shares(size) }));
  });
}

/** Returns the best price of a side, or null if the side is empty. */
export function bestPrice(book: Book, side: BookSide): Price | null {
  const [first] = queue(book, side);
  return first ? getMakerPrice(first) : null;
}

/** Returns the makers of a side in the order in which they trade. */
export function queue(book: Book, side: BookSide): Maker[] {
  const makers: Maker[] = [
    ...orderQueue(book, side).map((order): Maker => ({ kind: "order", order })),
    ...houseQueue(book, side).map((level): Maker => ({ kind: "house", level })),
  ];
  // The sort is stable, so users' orders stay before the house at the same price.
  return makers.toSorted((a, b) => comparePrice(side, getMakerPrice(a), getMakerPrice(b)));
}

export function getMakerPrice(maker: Maker): Price {
  return maker.kind === "order" ? maker.order.price : maker.level.price;
}

export function getMakerSize(maker: Maker): Shares {
  return maker.kind === "order" ? maker.order.remaining : maker.level.size;
}

function orderQueue(book: Book, side: BookSide): RestingOrder[] {
  return book.orders
    .filter((order) => order.side === side)
    .toSorted((a, b) => comparePrice(side, a.price, b.price) || (a.sequence < b.sequence ? -1 : 1));
}

function houseQueue(book: Book, side: BookSide): HouseLevel[] {
  return book.house
    .filter((level) => level.side === side)
    .toSorted((a, b) => comparePrice(side, a.price, b.price));
}

function comparePrice(side: BookSide, a: Price, b: Price): number {
  if (a === b) return 0;
  const isAscending = a < b;
  return isAscending === (side === "ask") ? -1 : 1;
}

function createLevelKey(level: HouseLevel): string {
  return `${level.side}:${level.price}`;
}

/** Returns the shares, in whole lots, that the unspent budget buys at a book price. */
function computeAffordable(left: Budget, side: BookSide, at: Price): Shares {
  if (left.kind === "shares") return left.shares;
  const pays = getTakerPrice(side, at);
  if (pays <= 0n) return NO_SHARES;
  const size = divide(left.amount * SCALE, pays, "down");
  return roundToLots(size);
}

function spend(left: Budget, side: BookSide, at: Price, size: Shares): Budget {
  if (left.kind === "shares") return { kind: "shares", shares: subtract(left.shares, size) };
  const cost = divide(size * getTakerPrice(side, at), SCALE, "up");
  const rest = left.amount - cost;
  return { kind: "amount", amount: rest > 0n ? usdc(rest) : NO_USDC };
}
