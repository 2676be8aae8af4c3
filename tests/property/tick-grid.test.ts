import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ceilToGrid, floorToGrid, isOnGrid, getNeighbors } from "@/lib/domain/tick-grid";
import { complement, ONE, price } from "@/lib/units";
import { anyTick, gridPrice } from "@/tests/support/domain/arbitraries";

const RUNS = { numRuns: 1_000 };
const anyWhere = fc.bigInt({ min: -2n * ONE, max: 3n * ONE });

describe("the grid of any tick", () => {
  it("contains every rounded price, for any input", () => {
    fc.assert(
      fc.property(anyTick, anyWhere, (tick, at) => {
        expect(isOnGrid(floorToGrid(at, tick), tick)).toBe(true);
        expect(isOnGrid(ceilToGrid(at, tick), tick)).toBe(true);
      }),
      RUNS,
    );
  });

  it("has neighbors that enclose a price within its bounds and are one tick apart", () => {
    fc.assert(
      fc.property(anyTick, anyWhere.map(price), (tick, at) => {
        fc.pre(at >= tick && at <= ONE - tick);
        const [below, above] = getNeighbors(at, tick);
        expect(below <= at && at <= above).toBe(true);
        expect(above - below).toBe(isOnGrid(at, tick) ? 0n : tick);
      }),
      RUNS,
    );
  });

  it("returns its bound twice for a price outside of it", () => {
    fc.assert(
      fc.property(anyTick, anyWhere.map(price), (tick, at) => {
        fc.pre(at < tick || at > ONE - tick);
        const bound = at < tick ? tick : price(ONE - tick);
        expect(getNeighbors(at, tick)).toEqual([bound, bound]);
        expect(isOnGrid(at, tick)).toBe(false);
      }),
      RUNS,
    );
  });

  it("does not round its own prices, and contains the complement of each", () => {
    fc.assert(
      fc.property(
        anyTick.chain((tick) => fc.tuple(fc.constant(tick), gridPrice(tick))),
        ([tick, at]) => {
          expect(getNeighbors(at, tick)).toEqual([at, at]);
          expect(isOnGrid(complement(at), tick)).toBe(true);
        },
      ),
      RUNS,
    );
  });
});
