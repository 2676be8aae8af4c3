import { describe, expect, it } from "vitest";
import {
  buildStepPath,
  fitPriceScale,
  fitValueScale,
  measureCurve,
  placePrices,
  placeValues,
} from "@/components/charts/chart-scale";
import { BOX } from "@/components/charts/price-points";

const POINTS = [
  { at: 0, price: 0.48 },
  { at: 50, price: 0.64 },
  { at: 100, price: 0.62 },
];

describe("the scale of a price chart", () => {
  it("fits the prices with a margin of 8 % of their range", () => {
    const scale = fitPriceScale(POINTS);
    expect(scale.frame.low).toBeCloseTo(0.48 - 0.08 * 0.16, 9);
    expect(scale.frame.high).toBeCloseTo(0.64 + 0.08 * 0.16, 9);
    expect([scale.y(scale.frame.high), scale.y(scale.frame.low)]).toEqual([0, BOX]);
    expect([scale.x(0), scale.x(50), scale.x(100)]).toEqual([0, BOX / 2, BOX]);
  });

  it("shows half a tick as a small step, with a gridline per tick", () => {
    const scale = fitPriceScale([
      { at: 0, price: 0.205 },
      { at: 1, price: 0.21 },
    ]);
    expect(scale.y(0.205) - scale.y(0.21)).toBeLessThan(BOX * 0.12);
    expect(scale.ticks).toEqual([0.19, 0.2, 0.21, 0.22, 0.23]);
  });

  it.each([
    ["0.01", 0.0464],
    ["0.001", 0.0116],
    ["0.1", 0.464],
  ])("puts a flat line into the middle of four ticks of %s, at least a point", (tickSize, high) => {
    const { y, frame } = fitPriceScale([{ at: 0, price: 0.37 }], { tickSize });
    expect(y(0.37)).toBe(BOX / 2);
    expect(frame.high - frame.low).toBeCloseTo(high, 9);
  });

  it("includes the marked prices of its period", () => {
    const marked = [
      { at: -1, price: 0.9 },
      { at: 50, price: 0.8 },
      { at: 100, price: 0.4 },
      { at: 101, price: 0.1 },
    ];
    const { frame } = fitPriceScale(POINTS, { marked });
    expect(frame.low).toBeCloseTo(0.4 - 0.08 * 0.4, 9);
    expect(frame.high).toBeCloseTo(0.8 + 0.08 * 0.4, 9);
  });

  it("never shows less than 0 % or more than 100 %", () => {
    const scale = fitPriceScale([
      { at: 0, price: 0.01 },
      { at: 1, price: 0.99 },
    ]);
    expect([scale.y(0), scale.y(1)]).toEqual([BOX, 0]);
    expect(scale.ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it("has two to seven ticks with different texts, whatever the prices", () => {
    expect(fitPriceScale(POINTS).ticks).toEqual([0.5, 0.55, 0.6, 0.65]);
    for (let low = 0; low <= 100; low += 1) {
      for (let high = low; high <= 100; high += 1) {
        const prices = [low / 100, high / 100];
        const { ticks, formatTick } = fitPriceScale(prices.map((price, at) => ({ at, price })));
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(new Set(ticks.map(formatTick)).size).toBe(ticks.length);
      }
    }
  });
});

describe("the scale of a value chart", () => {
  const place = (values: readonly number[]) => {
    const { y } = fitValueScale(
      values.map((value, at) => ({ at, value })),
      values[0] ?? 0,
    );
    return values.map((value) => y(value));
  };

  it.each([
    [9_180, 10_000],
    [-5, 8_000_000],
    [-201.4, -198.2],
    [0, 0.5],
  ])("from %d to %d uses all of the box except for a margin of 8 %% of the range", (min, max) => {
    expect(place([min, max])).toEqual([9_310, 690]);
  });

  it("keeps a baseline on the chart that the values have left", () => {
    const { y } = fitValueScale([{ at: 0, value: 40 }], 0);
    expect([y(40), y(0)]).toEqual([690, 9_310]);
  });

  it("draws a flat line in the middle, and a change of a cent as nearly flat", () => {
    expect(place([12, 12])).toEqual([BOX / 2, BOX / 2]);
    expect(place([12, 12.01])).toEqual([5_500, 4_500]);
  });
});

describe("the path of a step line", () => {
  it("holds each price until the next one", () => {
    const path = buildStepPath(placePrices(POINTS, fitPriceScale(POINTS)));
    expect(path).toBe("M0,9310L5000,9310L5000,690L10000,690L10000,1767");
  });

  it("stays in its box and is empty without points", () => {
    const points = [
      { at: 0, value: 0 },
      { at: 50, value: 10 },
      { at: 100, value: 5 },
    ];
    const path = buildStepPath(placeValues(points, fitValueScale(points, 0)));
    expect(path).toBe("M0,9310L5000,9310L5000,690L10000,690L10000,5000");
    expect(buildStepPath([])).toBe("");
  });
});

describe("the space of a curve", () => {
  it("is one rectangle per column, with the value that a step holds", () => {
    const columns = measureCurve(placePrices(POINTS, fitPriceScale(POINTS)));
    const [first, last] = [columns[0], columns.at(-1)];
    expect(columns.length).toBe(20);
    expect([first?.left, first?.top, first?.bottom]).toEqual([0, 9310, 9310]);
    const middle = columns.find(({ left, right }) => left < BOX / 2 && right >= BOX / 2);
    expect([middle?.top, middle?.bottom]).toEqual([690, 9310]);
    expect([last?.right, last?.top]).toEqual([BOX, 690]);
  });
});
