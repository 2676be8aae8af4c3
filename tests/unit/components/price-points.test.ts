import { describe, expect, it } from "vitest";
import {
  BOX,
  placeLabel,
  pointAt,
  pointBefore,
  thinOut,
  toPercent,
} from "@/components/charts/price-points";

const PLACED = [
  { at: 0, price: 0.48, x: 0, y: 8077 },
  { at: 50, price: 0.64, x: BOX / 2, y: 1923 },
  { at: 100, price: 0.62, x: BOX, y: 2692 },
];

describe("the points of a price chart", () => {
  it("are found by the last one up to a position", () => {
    const positions = [0, 0.49, 0.5, 0.99, 1].map((ratio) => ratio * BOX);
    expect(positions.map((x) => pointAt(PLACED, x))).toEqual([0, 0, 1, 1, 2]);
    expect(pointAt(PLACED, -0.2 * BOX)).toBe(0);
    expect(pointAt(PLACED, 1.2 * BOX)).toBe(2);
  });

  it("are found by the last one up to a time, and undefined before the first", () => {
    const points = [
      { at: 10, price: 0.1 },
      { at: 20, price: 0.2 },
    ];
    expect(pointBefore(points, 20)?.price).toBe(0.2);
    expect(pointBefore(points, 19)?.price).toBe(0.1);
    expect(pointBefore(points, 9)).toBeUndefined();
  });

  it("are thinned out evenly, and the last one stays", () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ at, price: 0.5 }));
    const few = thinOut(many, 25);
    expect(few.length).toBeLessThanOrEqual(25);
    expect(few.at(-1)?.at).toBe(100);
    expect(thinOut(PLACED, 25)).toEqual(PLACED);
  });

  it("have short coordinates as percent", () => {
    expect([0, 1923, 8077, BOX].map(toPercent)).toEqual(["0%", "19.23%", "80.77%", "100%"]);
  });
});

describe("the label of a line in a price chart", () => {
  const curve = (left: number, right: number, y: number) => ({ left, right, top: y, bottom: y });

  it("is above the line at the left if nothing is there", () => {
    const label = placeLabel(5000, []);
    expect([label.left, label.bottom < 5000]).toEqual([0, true]);
  });

  it("is below the line if the curve is above it, and the other way around", () => {
    expect(placeLabel(5000, [curve(0, BOX, 4600)]).top).toBeGreaterThan(5000);
    expect(placeLabel(5000, [curve(0, BOX, 5400)]).bottom).toBeLessThan(5000);
  });

  it("moves to the right of a curve that crosses the line", () => {
    const crossing = { left: 0, right: 3000, top: 1000, bottom: 9000 };
    expect(placeLabel(5000, [crossing]).left).toBeGreaterThanOrEqual(3000);
  });

  it("stays inside the chart at its edges and where there is no free place", () => {
    expect(placeLabel(0, []).top).toBeGreaterThan(0);
    expect(placeLabel(BOX, []).bottom).toBeLessThan(BOX);
    const full = placeLabel(5000, [{ left: 0, right: BOX, top: 0, bottom: BOX }]);
    expect([full.left, full.right <= BOX]).toEqual([0, true]);
  });
});
