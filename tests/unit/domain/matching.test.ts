import { describe, expect, it } from "vitest";
import {
  bestPrice,
  type Book,
  type BookSide,
  crosses,
  type HouseLevel,
  type Maker,
  match,
  oppositeSide,
  getTakerPrice,
  queue,
  reduceBook,
  type RestingOrder,
  sweep,
  type Taker,
  uncross,
} from "@/lib/domain/matching";
import { toBookPrice, toBookSide } from "@/lib/domain/settlement";
import { price, type Shares, shares, usdc } from "@/lib/units";

const cents = (value: number) => price(BigInt(value) * 10_000n);
const count = (value: number) => shares(BigInt(value) * 1_000_000n);

let sequence = 0n;
/** A resting order of `ownerId`; later ones rank behind earlier ones at one price. */
function rests(id: string, side: BookSide, at: number, size: number, ownerId = id): RestingOrder {
  sequence += 1n;
  return { id, ownerId, side, price: cents(at), remaining: count(size), sequence };
}
const house = (side: BookSide, at: number, size: number): HouseLevel => ({
  side,
  price: cents(at),
  size: count(size),
});
const readBook = (...makers: (RestingOrder | HouseLevel)[]): Book => ({
  orders: makers.flatMap((maker) => ("id" in maker ? maker : [])),
  house: makers.flatMap((maker) => ("id" in maker ? [] : maker)),
});
const wants = (side: BookSide, limit: number, size: number): Taker => ({
  ownerId: "taker",
  side,
  limit: cents(limit),
  budget: { kind: "shares", shares: count(size) },
});
const spends = (side: BookSide, limit: number, amount: bigint): Taker => ({
  ownerId: "taker",
  side,
  limit: cents(limit),
  budget: { kind: "amount", amount: usdc(amount) },
});

const getName = (maker: Maker) => (maker.kind === "order" ? maker.order.id : "house");
/** Returns maker, price and size of each match; price and size in micro-units. */
const trades = (book: Book, taker: Taker) =>
  match(book, taker).matches.map(({ maker, price: at, size }) => [getName(maker), at, size]);

describe("priority", () => {
  it.each([
    ["bid", "ask", 62, 63],
    ["ask", "bid", 63, 62],
  ] as const)(
    "a taking %s gets the best price first, at the makers' prices",
    (side, other, best, next) => {
      const book = readBook(rests("next", other, next, 10), rests("best", other, best, 10));
      expect(trades(book, wants(side, side === "bid" ? 70 : 50, 15))).toEqual([
        ["best", cents(best), count(10)],
        ["next", cents(next), count(5)],
      ]);
    },
  );

  it("at one price the older order trades first, independent of its place in the list", () => {
    const [first, second] = [rests("first", "ask", 62, 10), rests("second", "ask", 62, 10)];
    expect(trades(readBook(second, first), wants("bid", 62, 15))).toEqual([
      ["first", cents(62), count(10)],
      ["second", cents(62), count(5)],
    ]);
  });

  it("at one price users' orders trade before the house", () => {
    const book = readBook(house("ask", 62, 10), rests("user", "ask", 62, 10));
    expect(trades(book, wants("bid", 62, 15))).toEqual([
      ["user", cents(62), count(10)],
      ["house", cents(62), count(5)],
    ]);
  });

  it("a better price of the house trades before a user's order", () => {
    const book = readBook(rests("user", "bid", 60, 10), house("bid", 61, 10));
    expect(trades(book, wants("ask", 60, 15))).toEqual([
      ["house", cents(61), count(10)],
      ["user", cents(60), count(5)],
    ]);
  });

  it("the queue of a side lists all makers in trading order", () => {
    const book = readBook(
      house("bid", 60, 1),
      rests("low", "bid", 59, 1),
      rests("old", "bid", 60, 1),
      rests("new", "bid", 60, 1),
      house("bid", 61, 1),
      rests("ask", "ask", 62, 1),
    );
    expect(queue(book, "bid").map(getName)).toEqual(["house", "old", "new", "house", "low"]);
    expect(bestPrice(book, "bid")).toBe(cents(61));
    expect(bestPrice(book, "ask")).toBe(cents(62));
    expect(bestPrice(readBook(), "bid")).toBeNull();
  });
});

describe("limit", () => {
  it.each([
    ["bid", "ask", 62],
    ["ask", "bid", 62],
  ] as const)(
    "a taking %s trades with a maker exactly at its limit and no further",
    (side, other, at) => {
      const book = readBook(rests("maker", other, at, 10));
      expect(trades(book, wants(side, at, 10))).toEqual([["maker", cents(at), count(10)]]);
      expect(trades(book, wants(side, side === "bid" ? at - 1 : at + 1, 10))).toEqual([]);
    },
  );

  it("crossing depends on the side, and each side has one opposite", () => {
    expect(crosses("bid", cents(60), cents(59))).toBe(true);
    expect(crosses("bid", cents(60), cents(61))).toBe(false);
    expect(crosses("ask", cents(60), cents(61))).toBe(true);
    expect(crosses("ask", cents(60), cents(59))).toBe(false);
    expect([oppositeSide("bid"), oppositeSide("ask")]).toEqual(["ask", "bid"]);
  });

  it("two orders of one side never match", () => {
    expect(trades(readBook(rests("bid", "bid", 70, 10)), wants("bid", 70, 10))).toEqual([]);
  });
});

describe("own orders", () => {
  it("are canceled instead of matched, and the taker continues with the next maker", () => {
    const own = rests("own", "ask", 62, 10, "taker");
    const book = readBook(own, rests("other", "ask", 63, 10));
    const result = match(book, wants("bid", 63, 5));
    expect(result.selfCrossed).toEqual([own]);
    expect(result.matches.map(({ maker }) => getName(maker))).toEqual(["other"]);
    expect(reduceBook(book, result.matches, result.selfCrossed).orders).toEqual([
      { ...book.orders[1], remaining: count(5) },
    ]);
  });

  it("stay open if the taker completes before them or its limit does not reach them", () => {
    const book = readBook(
      rests("other", "ask", 61, 10),
      rests("behind", "ask", 62, 10, "taker"),
      rests("beyond", "ask", 70, 10, "taker"),
      rests("same side", "bid", 50, 10, "taker"),
    );
    expect(match(book, wants("bid", 65, 10)).selfCrossed).toEqual([]);
    expect(match(book, wants("bid", 65, 11)).selfCrossed.map(({ id }) => id)).toEqual(["behind"]);
  });
});

describe("the two tokens of a market", () => {
  const at = (action: "BUY" | "SELL", outcome: 0 | 1, own: number, size: number): Taker => ({
    ownerId: "taker",
    side: toBookSide(action, outcome),
    limit: toBookPrice(outcome, cents(own)),
    budget: { kind: "shares", shares: count(size) },
  });

  it("a BUY of NO at 0.38 matches a BUY of YES at 0.62, which is a bid", () => {
    const book = readBook(rests("buys YES", "bid", 62, 10));
    expect(trades(book, at("BUY", 1, 38, 10))).toEqual([["buys YES", cents(62), count(10)]]);
    expect(trades(book, at("BUY", 1, 37, 10))).toEqual([]);
  });

  it("a SELL of NO at 0.38 matches a SELL of YES at 0.62, which is an ask", () => {
    const book = readBook(rests("sells YES", "ask", 62, 10));
    expect(trades(book, at("SELL", 1, 38, 10))).toEqual([["sells YES", cents(62), count(10)]]);
    expect(trades(book, at("SELL", 1, 39, 10))).toEqual([]);
  });

  it("a BUY of YES and a SELL of NO at the complement match alike", () => {
    const book = readBook(rests("a", "ask", 61, 3), house("ask", 62, 4), rests("b", "ask", 63, 5));
    expect(match(book, at("SELL", 1, 38, 9))).toEqual(match(book, at("BUY", 0, 62, 9)));
    expect(trades(book, at("SELL", 1, 38, 9))).toHaveLength(2);
  });
});

describe("a budget of shares", () => {
  it("returns the remainder, and is complete only without one", () => {
    const book = readBook(rests("maker", "ask", 62, 10));
    const short = match(book, wants("bid", 62, 15));
    expect(short).toMatchObject({ left: { kind: "shares", shares: count(5) }, isComplete: false });
    const exact = match(book, wants("bid", 62, 10));
    expect(exact).toMatchObject({ left: { kind: "shares", shares: 0n }, isComplete: true });
  });
});

describe("a budget of an amount", () => {
  const book = readBook(house("ask", 62, 100), house("ask", 63, 250));

  it("buys whole lots of 0.01 share and is never exceeded", () => {
    const result = match(book, spends("bid", 67, 10_000_000n));
    expect(result.matches.map(({ size }) => size)).toEqual([16_120_000n]);
    expect(result.left).toEqual({ kind: "amount", amount: 5_600n }); // 10 - 16.12 * 0.62
    expect(result.isComplete).toBe(true);
  });

  it("is complete if the rest buys no lot at the next price, even if it would at the last one", () => {
    // 100 shares at 0.62 leave 0.0062: a lot costs 0.0063 at the next level.
    const result = match(book, spends("bid", 63, 62_006_200n));
    expect(result.matches.map(({ size }) => size)).toEqual([count(100)]);
    expect(result).toMatchObject({ left: { amount: 6_200n }, isComplete: true });
  });

  it("is incomplete if the book is too small, and keeps the rest", () => {
    const result = match(book, spends("bid", 62, 63_000_000n));
    expect(result).toMatchObject({ left: { amount: 1_000_000n }, isComplete: false });
  });

  it("is complete without a match if it buys no lot", () => {
    const result = match(book, spends("bid", 67, 6_199n));
    expect(result).toMatchObject({ matches: [], left: { amount: 6_199n }, isComplete: true });
    expect(match(readBook(), spends("bid", 67, 6_699n)).isComplete).toBe(true);
    expect(match(readBook(), spends("bid", 67, 6_700n)).isComplete).toBe(false);
  });

  it("pays one less the book price when it buys the second token", () => {
    const bids = readBook(house("bid", 62, 100));
    const result = match(bids, spends("ask", 60, 3_800_000n));
    expect(result.matches.map(({ size }) => size)).toEqual([count(10)]);
    expect(result).toMatchObject({ left: { amount: 0n }, isComplete: true });
    expect([getTakerPrice("bid", cents(62)), getTakerPrice("ask", cents(62))]).toEqual([
      620_000n,
      380_000n,
    ]);
  });

  it("does not cancel an own order if the budget buys no lot of it", () => {
    const own = readBook(rests("own", "ask", 62, 10, "taker"));
    expect(match(own, spends("bid", 67, 6_199n)).selfCrossed).toEqual([]);
    expect(match(own, spends("bid", 67, 6_200n)).selfCrossed).toHaveLength(1);
  });
});

describe("sweep", () => {
  const swept = (book: Book) =>
    sweep(book).map(({ order, level, size }) => [order.id, order.price, level.price, size]);

  it("fills a resting order at its own limit when a house quote has passed it", () => {
    const book = readBook(rests("bid", "bid", 62, 10), house("ask", 60, 100));
    expect(swept(book)).toEqual([["bid", cents(62), cents(60), count(10)]]);
    expect(swept(readBook(rests("ask", "ask", 60, 10), house("bid", 60, 4)))).toEqual([
      ["ask", cents(60), cents(60), count(4)],
    ]);
  });

  it("does not fill an order that no quote has reached", () => {
    expect(swept(readBook(rests("bid", "bid", 62, 10), house("ask", 63, 100)))).toEqual([]);
    expect(swept(readBook(rests("bid", "bid", 62, 10), house("bid", 60, 100)))).toEqual([]);
  });

  it("fills the best price first, then the oldest order, each from the best remaining quote", () => {
    const book = readBook(
      rests("old", "bid", 62, 5),
      rests("new", "bid", 62, 5),
      rests("best", "bid", 63, 5),
      house("ask", 62, 4),
      house("ask", 61, 8),
    );
    expect(swept(book)).toEqual([
      ["best", cents(63), cents(61), count(5)],
      ["old", cents(62), cents(61), count(3)],
      ["old", cents(62), cents(62), count(2)],
      ["new", cents(62), cents(62), count(2)],
    ]);
  });

  it("does not match users' orders with each other", () => {
    expect(swept(readBook(rests("bid", "bid", 63, 5), rests("ask", "ask", 62, 5)))).toEqual([]);
  });
});

describe("reduceBook", () => {
  it("sums a maker's trades, removes used-up makers and keeps the rest unchanged", () => {
    const [first, second] = [rests("first", "ask", 62, 10), rests("second", "ask", 63, 10)];
    const [near, far] = [house("ask", 62, 10), house("bid", 62, 10)];
    const taken = (maker: Maker, size: Shares) => ({ maker, size });
    const after = reduceBook(readBook(first, second, near, far), [
      taken({ kind: "order", order: first }, count(4)),
      taken({ kind: "order", order: first }, count(6)),
      taken({ kind: "house", level: near }, count(3)),
    ]);
    expect(after).toEqual({ orders: [second], house: [{ ...near, size: count(7) }, far] });
  });
});

describe("uncross", () => {
  it("removes house quotes that resting orders will consume, and the orders that they fill", () => {
    const book = readBook(
      rests("reached", "bid", 62, 10),
      rests("waiting", "bid", 60, 10),
      house("ask", 61, 10),
      house("ask", 62, 5),
    );
    expect(uncross(book)).toEqual({ orders: [book.orders[1]], house: [book.house[1]] });
  });

  it("returns an uncrossed book unchanged", () => {
    const book = readBook(rests("bid", "bid", 60, 10), house("ask", 61, 10));
    expect(uncross(book)).toEqual(book);
  });
});
