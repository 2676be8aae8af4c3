import { describe, expect, it } from "vitest";
import { toBookPrice, toBookSide, getHouseSide, settle } from "@/lib/domain/settlement";
import { price, shares } from "@/lib/units";

const AT = price(620_000n);
const SIZE = shares(100_000_000n);
const buy = (outcome: 0 | 1) => ({ action: "BUY" as const, outcome });
const sell = (outcome: 0 | 1) => ({ action: "SELL" as const, outcome });

describe("toBookSide", () => {
  it.each([
    ["BUY", 0, "bid"],
    ["SELL", 1, "bid"],
    ["SELL", 0, "ask"],
    ["BUY", 1, "ask"],
  ] as const)("a %s of outcome %i is on the %s side", (action, outcome, side) => {
    expect(toBookSide(action, outcome)).toBe(side);
  });
});

describe("toBookPrice", () => {
  it("is the first token's price, and one minus the second token's price", () => {
    expect(toBookPrice(0, AT)).toBe(620_000n);
    expect(toBookPrice(1, AT)).toBe(380_000n);
    expect(toBookPrice(1, toBookPrice(1, AT))).toBe(AT);
  });
});

const YES = { price: 620_000n, notional: 62_000_000n };
const NO = { price: 380_000n, notional: 38_000_000n };

describe("settle, 100 shares at a book price of 0.62", () => {
  it.each([
    ["BUY YES with SELL YES", buy(0), sell(0)],
    ["SELL NO with BUY NO", sell(1), buy(1)],
  ])("%s: shares change hands at one price", (_name, bid, ask) => {
    const terms = bid.outcome === 0 ? YES : NO;
    expect(settle(bid, ask, AT, SIZE)).toEqual({
      kind: "complementary",
      bid: { ...bid, ...terms, size: SIZE },
      ask: { ...ask, ...terms, size: SIZE },
    });
  });

  it.each([
    ["BUY YES with BUY NO is a mint", "mint", buy(0), buy(1)],
    ["SELL NO with SELL YES is a merge", "merge", sell(1), sell(0)],
  ])("%s of pairs at prices that sum to one dollar", (_name, kind, bid, ask) => {
    expect(settle(bid, ask, AT, SIZE)).toEqual({
      kind,
      bid: { ...bid, ...(bid.outcome === 0 ? YES : NO), size: SIZE },
      ask: { ...ask, ...(ask.outcome === 0 ? YES : NO), size: SIZE },
    });
  });

  it.each([
    ["a BUY of YES mints with", buy(0), "ask", "mint"],
    ["a SELL of NO is taken over by", sell(1), "ask", "complementary"],
    ["a BUY of NO mints with", buy(1), "bid", "mint"],
    ["a SELL of YES is taken over by", sell(0), "bid", "complementary"],
  ] as const)("%s the house, which buys on its side", (_name, party, on, kind) => {
    const house = getHouseSide(on);
    const [bid, ask] = on === "bid" ? [house, party] : [party, house];
    const settled = settle(bid, ask, AT, SIZE);
    expect(settled.kind).toBe(kind);
    expect(settled[on]).toEqual({
      action: "BUY",
      outcome: on === "bid" ? 0 : 1,
      ...(on === "bid" ? YES : NO),
      size: SIZE,
    });
  });
});

describe("settle, off the grid", () => {
  it.each([
    { at: 333_333n, size: 1n, yes: 0n, no: 1n },
    { at: 333_333n, size: 10n, yes: 3n, no: 7n },
    { at: 999_999n, size: 1_000_001n, yes: 999_999n, no: 2n },
  ])("$size at $at rounds YES down to $yes and NO up to $no", ({ at, size, yes, no }) => {
    const { bid, ask } = settle(buy(0), buy(1), price(at), shares(size));
    expect([bid.notional, ask.notional]).toEqual([yes, no]);
    expect(bid.notional + ask.notional).toBe(size);
  });
});
