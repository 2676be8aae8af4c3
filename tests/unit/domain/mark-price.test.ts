import { describe, expect, it } from "vitest";
import { getPayoutPrice, quote } from "@/lib/domain/mark-price";
import { type Price, price } from "@/lib/units";

const cents = (value: number): Price => price(BigInt(value) * 10_000n);
const LAST = cents(70);
const FALLBACK = cents(33);

describe("quote", () => {
  it.each([
    ["the midpoint of a narrow book", 60, 63, 615_000n],
    ["the midpoint at a spread of exactly 0.10", 55, 65, 600_000n],
    ["the midpoint of a locked book", 60, 60, 600_000n],
    ["the last trade at a spread above 0.10", 54, 65, 700_000n],
    ["the last trade without bids", null, 65, 700_000n],
    ["the last trade without asks", 60, null, 700_000n],
    ["the last trade of an empty book", null, null, 700_000n],
  ] as const)("shows %s", (_name, bid, ask, mark) => {
    const best = { bid: bid === null ? null : cents(bid), ask: ask === null ? null : cents(ask) };
    expect(quote(best, LAST, FALLBACK)).toEqual({ ...best, mark });
  });

  it("rounds a midpoint between two micro-prices down", () => {
    const best = { bid: price(500_000n), ask: price(500_001n) };
    expect(quote(best, null, FALLBACK).mark).toBe(500_000n);
  });

  it("returns the fallback for a market without trades and quotes", () => {
    expect(quote({ bid: null, ask: null }, null, FALLBACK).mark).toBe(FALLBACK);
    expect(quote({ bid: cents(10), ask: cents(90) }, null, FALLBACK).mark).toBe(FALLBACK);
    expect(quote({ bid: cents(50), ask: cents(52) }, null, FALLBACK).mark).toBe(510_000n);
  });
});

describe("getPayoutPrice", () => {
  it("is $1 for the winner and $0 for the loser", () => {
    expect([getPayoutPrice(true), getPayoutPrice(false)]).toEqual([1_000_000n, 0n]);
  });
});
