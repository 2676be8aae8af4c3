import { describe, expect, it } from "vitest";
import { toShownBook } from "@/components/trading/order-book/book-lines";
import type { LiveBookWire } from "@/lib/browser/book-store";

const LIVE: LiveBookWire = {
  book: {
    marketId: "0x1",
    tokenId: "yes",
    bids: [
      { price: 0.62, shares: 120.456 },
      { price: 0.61, shares: 1_200 },
    ],
    asks: [{ price: 0.64, shares: 40 }],
    tickSize: "0.01",
    at: "2026-11-21T12:00:00.000Z",
  },
  status: "open",
  mark: 0.63,
  lastPrice: null,
};

const OWN = { idempotencyKey: null, outcome: "Yes" };

describe("the rows of a book", () => {
  it("have a constant number, so that nothing moves when levels change", () => {
    const { bids, asks } = toShownBook(LIVE, [], { grouping: 1, rows: 8 });
    expect([bids.length, asks.length]).toEqual([8, 8]);
    expect(bids[2]).toBeNull();
  });

  it("show price, shares never rounded up, and the running total", () => {
    const { bids, spreadText } = toShownBook(LIVE, [], { grouping: 1, rows: 8 });
    expect(
      bids.slice(0, 2).map((row) => [row?.priceText, row?.sharesText, row?.totalText]),
    ).toEqual([
      ["62¢", "120.45", "$74.68"],
      ["61¢", "1,200", "$806.68"],
    ]);
    expect(bids.slice(0, 2).map((row) => row?.upToText)).toEqual(["120.45", "1,320.45"]);
    expect(bids[1]?.upTo).toBe(1_320.456);
    expect(spreadText).toBe("2¢");
  });

  it("fill the deepest line's bar and measure all others by it", () => {
    const { bids, asks } = toShownBook(LIVE, [], { grouping: 1, rows: 8 });
    expect([bids[0]?.depth, bids[1]?.depth, asks[0]?.depth]).toEqual([9, 100, 3]);
  });

  it("mark own orders of both outcomes in the lines of this book", () => {
    const orders = [
      { ...OWN, id: "ord_1", tokenId: "yes", action: "BUY", price: 0.62, shares: 10 },
      { ...OWN, id: "ord_2", tokenId: "no", action: "BUY", price: 0.36, shares: 10 },
      { ...OWN, id: "ord_3", tokenId: "no", action: "SELL", price: 0.39, shares: 10 },
    ] as const;
    const { bids, asks } = toShownBook(LIVE, orders, { grouping: 1, rows: 8 });
    const ids = [bids[0], asks[0], bids[1]].map((row) => row?.own.map(({ id }) => id));
    expect(ids).toEqual([["ord_1"], ["ord_2"], ["ord_3"]]);
    expect(bids[0]?.ownText).toBe("10");
  });

  it("have the middle between the best prices, in half ticks if need be", () => {
    const options = { grouping: 1, rows: 8 };
    expect(toShownBook(LIVE, [], options).middleText).toBe("63¢");
    const asks = [{ price: 0.63, shares: 40 }];
    const odd = { ...LIVE, book: { ...LIVE.book, asks } };
    expect(toShownBook(odd, [], options).middleText).toBe("62.5¢");
    const oneSided = { ...LIVE, book: { ...LIVE.book, asks: [] } };
    expect(toShownBook(oneSided, [], options).middleText).toBeNull();
  });

  it("find an own order in the line that its level was grouped into", () => {
    const order = {
      ...OWN,
      id: "ord_1",
      tokenId: "yes",
      action: "BUY",
      price: 0.61,
      shares: 1,
    } as const;
    const { bids } = toShownBook(LIVE, [order], { grouping: 5, rows: 8 });
    expect(bids[0]?.priceText).toBe("60¢");
    expect(bids[0]?.own).toEqual([order]);
  });
});
