import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeTakerFee, computeMaxTakerFee, computeMaxTakerFeeOfAmount } from "@/lib/domain/fees";
import { complement, notional, ONE, type Price, shares, sum } from "@/lib/units";
import {
  anyFeeRate,
  anyLots,
  anyShares,
  anyTick,
  gridPrice,
} from "@/tests/support/domain/arbitraries";

const RUNS = { numRuns: 1_000 };

/** Grid prices and the filled size at each. */
const anyFills = anyTick.chain((tick) =>
  fc.array(fc.record({ at: gridPrice(tick), size: anyLots(5_000) }), {
    minLength: 1,
    maxLength: 12,
  }),
);

const lowest = (fills: readonly { at: Price }[]) =>
  fills.map(({ at }) => at).reduce((a, b) => (a < b ? a : b));
const highest = (fills: readonly { at: Price }[]) =>
  fills.map(({ at }) => at).reduce((a, b) => (a > b ? a : b));

describe("the maximum taker fee", () => {
  it("of shares covers the fees of any split into fills at the limit or better", () => {
    fc.assert(
      fc.property(anyFills, anyFeeRate, (fills, rate) => {
        const size = sum(fills.map((fill) => fill.size));
        const charged = sum(fills.map((fill) => computeTakerFee(fill.size, fill.at, rate)));
        expect(charged <= computeMaxTakerFee(size, highest(fills), rate)).toBe(true);
      }),
      RUNS,
    );
  });

  it("of an amount covers the fees of any split into fills at the lowest price or above", () => {
    fc.assert(
      fc.property(anyFills, anyFeeRate, (fills, rate) => {
        const amount = sum(fills.map(({ size, at }) => notional(size, at, "up")));
        const charged = sum(fills.map((fill) => computeTakerFee(fill.size, fill.at, rate)));
        expect(charged <= computeMaxTakerFeeOfAmount(amount, lowest(fills), rate)).toBe(true);
      }),
      RUNS,
    );
  });

  it("is at most one fee step above the fee of one fill at the worst price", () => {
    fc.assert(
      fc.property(anyTick.chain(gridPrice), anyLots(5_000), anyFeeRate, (at, size, rate) => {
        const amount = notional(size, at, "up");
        const charged = computeTakerFee(size, at, rate);
        expect(computeMaxTakerFeeOfAmount(amount, at, rate) - charged <= 11n).toBe(true);
        if (at <= ONE / 2n) expect(computeMaxTakerFee(size, at, rate)).toBe(charged);
      }),
      RUNS,
    );
  });
});

describe("the taker fee", () => {
  it("is a whole number of 0.00001 USDC, cut and never rounded up", () => {
    fc.assert(
      fc.property(anyTick.chain(gridPrice), anyShares(10n ** 12n), anyFeeRate, (at, size, rate) => {
        const fee = computeTakerFee(size, at, rate);
        const exact = size * rate * at * (ONE - at); // scale 24
        expect(fee % 10n).toBe(0n);
        expect(fee * 10n ** 18n <= exact && (fee + 10n) * 10n ** 18n > exact).toBe(true);
      }),
      RUNS,
    );
  });

  it("is the same for both outcomes, and never more than a seller receives", () => {
    fc.assert(
      fc.property(anyTick.chain(gridPrice), anyShares(10n ** 12n), anyFeeRate, (at, size, rate) => {
        const fee = computeTakerFee(size, at, rate);
        expect(computeTakerFee(size, complement(at), rate)).toBe(fee);
        expect(fee <= notional(size, at, "down")).toBe(true);
      }),
      RUNS,
    );
  });

  it("of many small fills is at most the fee of one large one", () => {
    fc.assert(
      fc.property(
        anyTick.chain(gridPrice),
        fc.array(anyShares(10n ** 9n), { minLength: 1, maxLength: 20 }),
        anyFeeRate,
        (at, sizes, rate) => {
          const small = sum(sizes.map((size) => computeTakerFee(size, at, rate)));
          expect(small <= computeTakerFee(shares(sum(sizes)), at, rate)).toBe(true);
        },
      ),
      RUNS,
    );
  });
});
