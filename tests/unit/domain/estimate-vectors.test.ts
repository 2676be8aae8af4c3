import { describe, expect, it } from "vitest";
import {
  type Book,
  type BookSide,
  match,
  type MatchResult,
  getTakerPrice,
} from "@/lib/domain/matching";
import { averagePrice, notional, type Price, price, shares, sum, usdc } from "@/lib/units";

/** The test vectors of design.md 6.3: tick 0.01, worst price 5 cents from the best. */
const ASKS = [
  [62, 100],
  [63, 250],
  [65, 500],
] as const;
const BIDS = [
  [61, 120],
  [60, 300],
  [57, 400],
] as const;

const cents = (value: number) => price(BigInt(value) * 10_000n);
const count = (value: number) => shares(BigInt(value) * 1_000_000n);
const ofShares = (value: number) => ({ kind: "shares" as const, shares: count(value) });
const ofAmount = (value: number) => ({ kind: "amount" as const, amount: usdc(count(value)) });

/** The book of the vectors, as house quotes or as one order per level. */
function vectorBook(source: "house" | "orders"): Book {
  const levels = [
    ...ASKS.map(([at, size]) => ({ side: "ask" as const, price: cents(at), size: count(size) })),
    ...BIDS.map(([at, size]) => ({ side: "bid" as const, price: cents(at), size: count(size) })),
  ];
  if (source === "house") return { orders: [], house: levels };
  const orders = levels.map(({ side, price: at, size }, index) => ({
    id: `o${index}`,
    ownerId: "maker",
    side,
    price: at,
    remaining: size,
    sequence: BigInt(index),
  }));
  return { orders, house: [] };
}

/** Shares, money, and the average price in tenths of a cent, half up, as the design shows it. */
function totals({ matches }: MatchResult) {
  const filled = sum(matches.map(({ size }) => size));
  const money = sum(matches.map(({ size, price: at }) => notional(size, at, "down")));
  const average = filled === 0n ? null : (averagePrice(money, filled) + 500n) / 1_000n;
  return { filled, money, average };
}

const VECTORS = [
  ["a market buy of $100", "bid", 67, ofAmount(100), 160_310_000n, 99_995_300n, 624n, 4_700n],
  ["a market buy of $500", "bid", 67, ofAmount(500), 781_530_000n, 499_994_500n, 640n, 5_500n],
  [
    "a market buy of $1,000",
    "bid",
    67,
    ofAmount(1_000),
    count(850),
    544_500_000n,
    641n,
    455_500_000n,
  ],
  ["a market sell of 200", "ask", 56, ofShares(200), count(200), 121_200_000n, 606n, 0n],
  ["a market sell of 900", "ask", 56, ofShares(900), count(820), 481_200_000n, 587n, count(80)],
  ["a limit buy of 300 at 63", "bid", 63, ofShares(300), count(300), 188_000_000n, 627n, 0n],
  ["a limit buy of 100 at 60", "bid", 60, ofShares(100), 0n, 0n, null, count(100)],
  [
    "a limit sell of 500 at 60",
    "ask",
    60,
    ofShares(500),
    count(420),
    253_200_000n,
    603n,
    count(80),
  ],
] as const;

describe.each(["house", "orders"] as const)("with a book of %s", (source) => {
  it.each(VECTORS)(
    "%s fills, costs, averages and leaves what the design computed",
    (_name, side, limit, budget, filled, money, average, left) => {
      const taker = { ownerId: "taker", side, limit: cents(limit), budget };
      const result = match(vectorBook(source), taker);
      expect(totals(result)).toEqual({ filled, money, average });
      expect(result.left.kind === "shares" ? result.left.shares : result.left.amount).toBe(left);
      // The remainder of a complete amount is less than the price of a lot.
      expect(result.isComplete).toBe(left < 10_000n);
    },
  );

  it("a market buy's impact is its average minus the best price: 0.38, 1.98 and 2.06 cents", () => {
    const impacts = [100, 500, 1_000].map((amount) => {
      const taker = { ownerId: "t", side: "bid" as const, limit: cents(67) };
      const result = match(vectorBook(source), { ...taker, budget: ofAmount(amount) });
      const { filled, money } = totals(result);
      return (averagePrice(money, filled) - cents(62) + 50n) / 100n;
    });
    expect(impacts).toEqual([38n, 198n, 206n]);
  });

  it("a buyer of the other outcome gets the same from the mirrored book", () => {
    const book = mirrored(vectorBook(source));
    const limit = price(1_000_000n - cents(67));
    const result = match(book, { ownerId: "t", side: "ask", limit, budget: ofAmount(100) });
    expect(totals(result).filled).toBe(160_310_000n);
    expect(result.left).toEqual({ kind: "amount", amount: 4_700n });
  });
});

describe("a limit order of the vectors", () => {
  it("pays at most, or receives at least, its shares times its limit", () => {
    expect(notional(count(300), cents(63), "up")).toBe(189_000_000n);
    expect(notional(count(100), cents(60), "up")).toBe(60_000_000n);
    expect(notional(count(500), cents(60), "down")).toBe(300_000_000n);
    expect(253_200_000n + notional(count(80), cents(60), "down")).toBe(301_200_000n);
  });
});

function mirrored({ orders, house }: Book): Book {
  const mirror = <T extends { side: BookSide; price: Price }>(one: T): T => ({
    ...one,
    side: one.side === "bid" ? "ask" : "bid",
    price: getTakerPrice("ask", one.price),
  });
  return { orders: orders.map(mirror), house: house.map(mirror) };
}
