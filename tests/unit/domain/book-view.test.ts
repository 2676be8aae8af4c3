import { describe, expect, it } from "vitest";
import { type BookLevel, roundToLine, viewBook } from "@/lib/domain/book-view";
import { price, shares } from "@/lib/units";

const level = (cents: number, whole: number): BookLevel => ({
  price: price(BigInt(cents) * 10_000n),
  shares: shares(BigInt(whole) * 1_000_000n),
});

const BOOK = {
  bids: [level(61, 120), level(60, 300), level(57, 400)],
  asks: [level(62, 100), level(63, 250), level(65, 500)],
};
const TICK = price(10_000n);

describe("viewBook", () => {
  it("returns cumulative totals from the best price to each line", () => {
    const { bids, asks } = viewBook(BOOK, { tick: TICK, grouping: 1, depth: 8 });
    expect(bids.map(({ total }) => total)).toEqual([73_200_000n, 253_200_000n, 481_200_000n]);
    expect(asks.map(({ total }) => total)).toEqual([62_000_000n, 219_500_000n, 544_500_000n]);
  });

  it("scales both sides by the deepest line of either", () => {
    const view = viewBook(BOOK, { tick: TICK, grouping: 1, depth: 8 });
    expect(view.deepest).toBe(544_500_000n);
    expect(viewBook(BOOK, { tick: TICK, grouping: 1, depth: 1 }).deepest).toBe(73_200_000n);
  });

  it("groups the levels of a step at its worst price", () => {
    const { bids, asks } = viewBook(BOOK, { tick: TICK, grouping: 5, depth: 8 });
    expect(bids.map((line) => [line.price, line.shares])).toEqual([
      [600_000n, 420_000_000n],
      [550_000n, 400_000_000n],
    ]);
    expect(asks.map((line) => [line.price, line.shares])).toEqual([[650_000n, 850_000_000n]]);
  });

  it("computes totals from the levels' own prices, not from the step", () => {
    const { asks } = viewBook(BOOK, { tick: TICK, grouping: 5, depth: 8 });
    expect(asks[0]?.total).toBe(544_500_000n);
  });

  it("returns at most `depth` lines, and totals without the deeper levels", () => {
    const { bids } = viewBook(BOOK, { tick: TICK, grouping: 1, depth: 2 });
    expect(bids).toHaveLength(2);
    expect(bids.at(-1)?.total).toBe(253_200_000n);
  });

  it("computes the spread from the levels for any grouping", () => {
    expect(viewBook(BOOK, { tick: TICK, grouping: 10, depth: 8 }).spread).toBe(10_000n);
  });

  it("returns no spread and no depth for an empty book", () => {
    const view = viewBook({ bids: [], asks: BOOK.asks }, { tick: TICK, grouping: 1, depth: 8 });
    expect(view.spread).toBeNull();
    expect(viewBook({ bids: [], asks: [] }, { tick: TICK, grouping: 1, depth: 8 })).toEqual({
      bids: [],
      asks: [],
      deepest: 0n,
      spread: null,
    });
  });

  it("groups down to $0 and up to $1 at the ends of the grid", () => {
    const step = price(100_000n);
    expect(roundToLine(price(30_000n), "bid", step)).toBe(0n);
    expect(roundToLine(price(970_000n), "ask", step)).toBe(1_000_000n);
    expect(roundToLine(price(400_000n), "ask", step)).toBe(400_000n);
  });
});
