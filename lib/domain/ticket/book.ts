import type { BookSide, RestingOrder } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import {
  complement,
  larger,
  parseMicro,
  type Price,
  price,
  type Shares,
  shares,
  smaller,
  subtract,
  sum,
} from "@/lib/units";

interface BookLevel {
  price: Price;
  shares: Shares;
}

/** An open order as the dashboard's API sends it. */
export interface WireOrder {
  status: string;
  action: Action;
  /** The outcome's name. */
  outcome: string;
  price: number | null;
  shares: number | null;
  filledShares: number;
}

/** An open order of the account in the book of one outcome, in that outcome's prices. */
export interface OwnOrder extends RestingOrder {
  wire: WireOrder;
}

/** The other users' order book of one outcome, in that outcome's prices. */
export interface OutcomeBook {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
  /** The account's own orders. A new order of the account cancels those that it meets. */
  own?: readonly OwnOrder[];
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

/** The owner of the ticket's order and of the account's own orders. */
export const OWNER = "";

/** Takes the account's orders out of the levels of an outcome's book. */
export function separateOwn(
  { bids, asks }: OutcomeBook,
  outcome: string,
  orders: readonly WireOrder[],
): OutcomeBook {
  const own = orders.flatMap((wire, index): OwnOrder[] => {
    if (wire.status !== "open" || wire.price === null) return [];
    const isSame = wire.outcome === outcome;
    const at = price(parseMicroNumber(wire.price));
    return [
      {
        id: "",
        ownerId: OWNER,
        side: (wire.action === "BUY") === isSame ? "bid" : "ask",
        price: isSame ? at : complement(at),
        remaining: parseRemaining(wire),
        sequence: BigInt(index),
        wire,
      },
    ];
  });
  // The book and the orders are read at different times, so an order can be missing in its level.
  const leaveOut = (levels: readonly BookLevel[], side: BookSide) =>
    levels
      .map((level) => {
        const mine = own.filter((order) => order.side === side && order.price === level.price);
        return {
          ...level,
          shares: subtract(level.shares, sum(mine.map(({ remaining }) => remaining))),
        };
      })
      .filter((level) => level.shares > 0n);
  return { bids: leaveOut(bids, "bid"), asks: leaveOut(asks, "ask"), own };
}

export const parseRemaining = ({ shares: size, filledShares }: WireOrder): Shares =>
  shares(parseMicroNumber(size ?? 0) - parseMicroNumber(filledShares));

/** Returns the other outcome's book: a bid for one outcome is an ask for the other, at 1 - price. */
export function mirrorBook(book: OutcomeBook): OutcomeBook {
  const mirrored = (level: BookLevel) => ({ ...level, price: complement(level.price) });
  return { bids: book.asks.map(mirrored), asks: book.bids.map(mirrored) };
}

export const findBestBid = ({ bids }: OutcomeBook): Price | null => findBest(bids, larger);
export const findBestAsk = ({ asks }: OutcomeBook): Price | null => findBest(asks, smaller);

function findBest(
  levels: readonly BookLevel[],
  choose: (a: Price, b: Price) => Price,
): Price | null {
  return levels.reduce<Price | null>(
    (best, level) => (best === null ? level.price : choose(best, level.price)),
    null,
  );
}

function toLevel(level: WireLevel): BookLevel {
  return {
    price: price(parseMicroNumber(level.price)),
    shares: shares(parseMicroNumber(level.shares)),
  };
}
