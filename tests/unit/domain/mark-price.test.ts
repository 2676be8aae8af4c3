import { describe, expect, it } from "vitest";
import { payoutPrice, quote } from "@/lib/domain/mark-price";
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

  it("cuts a midpoint between two micro-prices", () => {
    const best = { bid: price(500_000n), ask: price(500_001n) };
    expect(quote(best, null, FALLBACK).mark).toBe(500_000n);
  });

  it("shows the fallback of a market that never traded when its book says nothing", () => {
    expect(quote({ bid: null, ask: null }, null, FALLBACK).mark).toBe(FALLBACK);
    expect(quote({ bid: cents(10), ask: cents(90) }, null, FALLBACK).mark).toBe(FALLBACK);
    expect(quote({ bid: cents(50), ask: cents(52) }, null, FALLBACK).mark).toBe(510_000n);
  });
});

describe("payoutPrice", () => {
  it("is one dollar for the winner and nothing for the loser", () => {
    expect([payoutPrice(true), payoutPrice(false)]).toEqual([1_000_000n, 0n]);
  });
});
