import { describe, expect, it } from "vitest";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding, valuate } from "@/lib/domain/position";
import { price, shares, usdc } from "@/lib/units";

const holding = (size: bigint, cost: bigint, realizedPnl = 0n): Holding => ({
  shares: shares(size),
  cost: usdc(cost),
  realizedPnl: usdc(realizedPnl),
});

describe("applyBuy", () => {
  it("adds shares and cost, so that two purchases are held at their average cost", () => {
    const first = applyBuy(EMPTY_HOLDING, shares(100_000_000n), usdc(40_000_000n));
    const both = applyBuy(first, shares(100_000_000n), usdc(60_000_000n));
    expect(both).toEqual(holding(200_000_000n, 100_000_000n));
    expect(valuate(both, price(500_000n)).averagePrice).toBe(500_000n);
  });

  it("keeps the realized profit", () => {
    const before = holding(0n, 0n, 7n);
    expect(applyBuy(before, shares(10n), usdc(4n))).toEqual(holding(10n, 4n, 7n));
  });

  it("does not change the shared empty holding", () => {
    applyBuy(EMPTY_HOLDING, shares(1n), usdc(1n));
    expect(EMPTY_HOLDING).toEqual(holding(0n, 0n));
  });
});

describe("applySell", () => {
  const held = holding(200_000_000n, 100_000_000n);

  it.each([
    [50_000_000n, 30_000_000n, holding(150_000_000n, 75_000_000n, 5_000_000n)],
    [50_000_000n, 10_000_000n, holding(150_000_000n, 75_000_000n, -15_000_000n)],
    [50_000_000n, 25_000_000n, holding(150_000_000n, 75_000_000n, 0n)],
    [200_000_000n, 120_000_000n, holding(0n, 0n, 20_000_000n)],
  ] as const)("of %s for %s removes average cost", (size, proceeds, left) => {
    expect(applySell(held, shares(size), usdc(proceeds))).toEqual(left);
  });

  it("adds to the realized profit", () => {
    const before = holding(10n, 5n, -3n);
    expect(applySell(before, shares(10n), usdc(9n))).toEqual(holding(0n, 0n, 1n));
  });

  it("rounds the removed cost down, and removes all of it when all shares are sold", () => {
    const odd = holding(3n, 2n);
    const one = applySell(odd, shares(1n), usdc(0n));
    expect(one).toEqual(holding(2n, 2n, 0n));
    expect(applySell(one, shares(2n), usdc(1n))).toEqual(holding(0n, 0n, -1n));
  });

  it.each([
    ["more than is held", 200_000_001n],
    ["nothing", 0n],
    ["a negative size", -1n],
  ] as const)("throws on a sale of %s", (_what, size) => {
    expect(() => applySell(held, shares(size), usdc(1n))).toThrow("covered by the holding");
  });
});

describe("valuate", () => {
  it.each([
    { held: [160_310_000n, 99_995_300n], at: 700_000n, value: 112_217_000n, percent: 12_222_274n },
    { held: [100_000_000n, 80_000_000n], at: 900_000n, value: 90_000_000n, percent: 12_500_000n },
    { held: [100_000_000n, 80_000_000n], at: 800_000n, value: 80_000_000n, percent: 0n },
    { held: [100_000_000n, 80_000_000n], at: 0n, value: 0n, percent: -100_000_000n },
    { held: [100_000_000n, 30_000_000n], at: 200_000n, value: 20_000_000n, percent: -33_333_333n },
    { held: [3n, 1n], at: 500_000n, value: 1n, percent: 0n },
  ] as const)(
    "at $at: value $value, profit in percent of cost at scale six $percent",
    ({ held: [size, cost], at, value, percent }) => {
      const worth = valuate(holding(size, cost), price(at));
      expect(worth.value).toBe(value);
      expect(worth.pnl).toBe(value - cost);
      expect(worth.pnlPercentMicro).toBe(percent);
    },
  );

  it("returns a percentage of 0 for a holding without cost", () => {
    expect(valuate(holding(10n, 0n), price(500_000n))).toMatchObject({
      pnl: 5n,
      pnlPercentMicro: 0n,
      averagePrice: 0n,
    });
  });
});
