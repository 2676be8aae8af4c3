import { describe, expect, it } from "vitest";
import { niceScale, stepPath } from "@/components/portfolio/curve-geometry";

describe("a scale", () => {
  it.each([
    [9_180, 10_000],
    [9_999.999, 10_000.001],
    [0, 10_000],
    [10_000, 10_000],
    [0.01, 0.02],
    [-5, 8_000_000],
  ])("from %d to %d holds both ends within five even ticks", (min, max) => {
    const { low, high, ticks } = niceScale([min, max]);
    expect(low).toBeLessThanOrEqual(min);
    expect(high).toBeGreaterThanOrEqual(max);
    expect(high).toBeGreaterThan(low);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(6);
    const gaps = ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0] ?? 0, 6);
    expect(ticks.at(-1)).toBeCloseTo(high, 6);
  });
});

it("puts a flat line between round figures, and never below nothing", () => {
  expect(niceScale([10_000, 10_000])).toMatchObject({ low: 9_999, high: 10_001 });
  expect(niceScale([0, 0])).toMatchObject({ low: 0, high: 1 });
});

it("a step line holds each value until the next point and fills its box", () => {
  const points = [
    { at: 0, value: 0 },
    { at: 50, value: 10 },
    { at: 100, value: 5 },
  ];
  const scale = { low: 0, high: 10, ticks: [0, 5, 10] };
  expect(stepPath(points, scale, { width: 1000, height: 200 })).toBe("M0 200H500V0H1000V100");
});
