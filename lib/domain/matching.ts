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

/**
 * One market has one book, written in prices of its first token. Buying the first token and selling
 * the second are both a bid; selling the first and buying the second are both an ask, at one minus
 * the second token's price. Two bids or asks never meet, whatever token they name.
 */
export type BookSide = "bid" | "ask";

/** Orders are sized in hundredths of a share (polymarket.md 5.1). */
export const LOT = shares(10_000n);

export interface RestingOrder {
  id: string;
  ownerId: string;
  side: BookSide;
  price: Price;
  remaining: Shares;
  /** Rank among orders at one price: lower came first. */
  sequence: bigint;
}

/** Liquidity that the exchange itself quotes. At one price it stands behind every user's order. */
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
  /** Own resting orders that stood in the taker's way and are to be canceled. */
  selfCrossed: RestingOrder[];
  /** What is left of the budget. */
  left: Budget;
  /** Whether the budget is used up: what is left does not buy another lot. */
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

/** What one share costs a taker on `side` who spends money, at a book price. */
export function payPrice(side: BookSide, at: Price): Price {
  return side === "bid" ? at : (subtract(ONE, at) as Price);
}

/**
 * Matches a taker against the book in price-time priority, at the makers' prices. Deterministic and
 * free of effects. The taker's own resting orders are not traded with: they are reported for
 * cancellation, because the newer instruction wins.
 */
export function match(book: Book, taker: Taker): MatchResult {
  const matches: Match[] = [];
  const selfCrossed: RestingOrder[] = [];
  let left = taker.budget;
  let isComplete = false;
  for (const maker of queue(book, oppositeSide(taker.side))) {
    const at = makerPrice(maker);
    if (!crosses(taker.side, taker.limit, at)) break;
    isComplete = affordable(left, taker.side, at) === 0n;
    if (isComplete) break;
    if (maker.kind === "order" && maker.order.ownerId === taker.ownerId) {
      selfCrossed.push(maker.order);
      continue;
    }
    const size = smaller(affordable(left, taker.side, at), makerSize(maker));
    matches.push({ maker, price: at, size });
    left = spend(left, taker.side, at, size);
  }
  isComplete ||= affordable(left, taker.side, taker.limit) === 0n;
  return { matches, selfCrossed, left, isComplete };
}

/**
 * Fills resting orders that the house's quotes have reached, best price and oldest first, each at
 * its own limit.
 */
export function sweep(book: Book): SweepMatch[] {
  return (["bid", "ask"] as const).flatMap((side) => sweepSide(book, side));
}

function sweepSide(book: Book, side: BookSide): SweepMatch[] {
  const found: SweepMatch[] = [];
  const quotes = houseQueue(book, oppositeSide(side)).map((level) => ({ level, left: level.size }));
  for (const order of orderQueue(book, side)) {
    let wanted = order.remaining;
    for (const quote of quotes) {
      if (wanted === 0n || !crosses(side, order.price, quote.level.price)) break;
      const size = smaller(wanted, quote.left);
      if (size === 0n) continue;
      found.push({ order, level: quote.level, size });
      wanted = subtract(wanted, size);
      quote.left = subtract(quote.left, size);
    }
  }
  return found;
}

/** The book after trades: sizes reduced, what is used up and what was canceled left out. */
export function reduceBook(
  book: Book,
  taken: readonly { maker: Maker; size: Shares }[],
  canceled: readonly RestingOrder[] = [],
): Book {
  const gone = new Set(canceled.map((order) => order.id));
  const ofOrder = new Map<string, bigint>();
  const ofLevel = new Map<string, bigint>();
  for (const { maker, size } of taken) {
    const [map, key] =
      maker.kind === "order" ? [ofOrder, maker.order.id] : [ofLevel, levelKey(maker.level)];
    map.set(key, (map.get(key) ?? 0n) + size);
  }
  return {
    orders: book.orders
      .filter((order) => !gone.has(order.id))
      .map((order) => ({
        ...order,
        remaining: shares(order.remaining - (ofOrder.get(order.id) ?? 0n)),
      }))
      .filter((order) => order.remaining > 0n),
    house: book.house
      .map((level) => ({
        ...level,
        size: shares(level.size - (ofLevel.get(levelKey(level)) ?? 0n)),
      }))
      .filter((level) => level.size > 0n),
  };
}

/** The book as others may see it: house quotes that resting orders will consume are left out. */
export function uncross(book: Book): Book {
  const taken = sweep(book).flatMap(({ order, level, size }): { maker: Maker; size: Shares }[] => [
    { maker: { kind: "order", order }, size },
    { maker: { kind: "house", level }, size },
  ]);
  return reduceBook(book, taken);
}

/** The best price on a side, or null when nobody quotes there. */
export function bestPrice(book: Book, side: BookSide): Price | null {
  const [first] = queue(book, side);
  return first ? makerPrice(first) : null;
}

/** Everyone on a side in the order in which they trade. */
export function queue(book: Book, side: BookSide): Maker[] {
  const makers: Maker[] = [
    ...orderQueue(book, side).map((order): Maker => ({ kind: "order", order })),
    ...houseQueue(book, side).map((level): Maker => ({ kind: "house", level })),
  ];
  // Array.sort is stable, so users' orders keep their place before the house at the same price.
  return makers.toSorted((a, b) => byPrice(side, makerPrice(a), makerPrice(b)));
}

export function makerPrice(maker: Maker): Price {
  return maker.kind === "order" ? maker.order.price : maker.level.price;
}

export function makerSize(maker: Maker): Shares {
  return maker.kind === "order" ? maker.order.remaining : maker.level.size;
}

function orderQueue(book: Book, side: BookSide): RestingOrder[] {
  return book.orders
    .filter((order) => order.side === side)
    .toSorted((a, b) => byPrice(side, a.price, b.price) || (a.sequence < b.sequence ? -1 : 1));
}

function houseQueue(book: Book, side: BookSide): HouseLevel[] {
  return book.house
    .filter((level) => level.side === side)
    .toSorted((a, b) => byPrice(side, a.price, b.price));
}

function byPrice(side: BookSide, a: Price, b: Price): number {
  if (a === b) return 0;
  const isAscending = a < b;
  return isAscending === (side === "ask") ? -1 : 1;
}

function levelKey(level: HouseLevel): string {
  return `${level.side}:${level.price}`;
}

/** How many whole lots the rest of the budget buys at a book price. */
function affordable(left: Budget, side: BookSide, at: Price): Shares {
  if (left.kind === "shares") return left.shares;
  const pays = payPrice(side, at);
  if (pays <= 0n) return NO_SHARES;
  const size = divide(left.amount * SCALE, pays, "down");
  return shares(size - (size % LOT));
}

function spend(left: Budget, side: BookSide, at: Price, size: Shares): Budget {
  if (left.kind === "shares") return { kind: "shares", shares: subtract(left.shares, size) };
  const cost = divide(size * payPrice(side, at), SCALE, "up");
  const rest = left.amount - cost;
  return { kind: "amount", amount: rest > 0n ? usdc(rest) : NO_USDC };
}
