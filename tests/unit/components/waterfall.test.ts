import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildWaterfall } from "@/components/activity/waterfall";

const flow = (amount: number) => ({ amount, isTotal: false });
const total = (amount: number) => ({ amount, isTotal: true });

describe("a waterfall", () => {
  it("starts each flow where the last one ended, and each total at zero", () => {
    const { bars, zero } = buildWaterfall([flow(100), flow(-40), total(60), flow(20), total(80)]);
    expect(zero).toBe(0);
    expect(bars.map(({ start, width }) => [start, width])).toEqual([
      [0, 1],
      [0.6, 0.4],
      [0, 0.6],
      [0.6, 0.2],
      [0, 0.8],
    ]);
  });

  it("moves zero to the right if more was spent than was there before", () => {
    const { bars, zero } = buildWaterfall([flow(100), flow(-200), flow(150), total(50)]);
    expect(zero).toBe(0.5);
    expect(bars.map(({ end }) => end)).toEqual([1, 0, 0.75, 0.75]);
  });

  it("has bars of no width for an account without money", () => {
    const { bars } = buildWaterfall([flow(0), total(0)]);
    expect(bars).toEqual([
      { start: 0, width: 0, end: 0 },
      { start: 0, width: 0, end: 0 },
    ]);
  });

  it("stays inside the chart, whatever the amounts", () => {
    const anyAmounts = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(anyAmounts, (amounts) => {
        const { bars } = buildWaterfall(amounts.map(flow));
        for (const { start, width } of bars) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + width).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });
});
