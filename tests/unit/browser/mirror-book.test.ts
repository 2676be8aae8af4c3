import { describe, expect, it } from "vitest";
import { type LiveBookWire, mirrorLiveBook } from "@/lib/browser/book-store";

const live: LiveBookWire = {
  book: {
    marketId: "m",
    tokenId: "yes",
    bids: [
      { price: 0.61, shares: 120 },
      { price: 0.6, shares: 300.5 },
    ],
    asks: [
      { price: 0.62, shares: 100 },
      { price: 0.65, shares: 500 },
    ],
    tickSize: "0.01",
    at: "2026-11-21T12:00:00.000Z",
  },
  status: "open",
  mark: 0.615,
  lastPrice: 0.6,
};

describe("mirrorLiveBook", () => {
  it("turns bids into asks at 1 - price, best first", () => {
    expect(mirrorLiveBook(live, "no")).toEqual({
      ...live,
      book: {
        ...live.book,
        tokenId: "no",
        bids: [
          { price: 0.38, shares: 100 },
          { price: 0.35, shares: 500 },
        ],
        asks: [
          { price: 0.39, shares: 120 },
          { price: 0.4, shares: 300.5 },
        ],
      },
      mark: 0.385,
      lastPrice: 0.4,
    });
  });

  it("returns the original book if it is applied twice", () => {
    expect(mirrorLiveBook(mirrorLiveBook(live, "no"), "yes")).toEqual(live);
  });

  it("has no last price without a trade", () => {
    expect(mirrorLiveBook({ ...live, lastPrice: null }, "no").lastPrice).toBeNull();
  });
});
