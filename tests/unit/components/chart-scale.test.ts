import { describe, expect, it } from "vitest";
import { fitScale, pointAt, stepPath, thinOut } from "@/components/charts/chart-scale";

const POINTS = [
  { at: 0, price: 0.48 },
  { at: 50, price: 0.64 },
  { at: 100, price: 0.62 },
];

describe("a price chart", () => {
  it("zooms to the prices with five points of room", () => {
    const scale = fitScale(POINTS);
    expect(scale.y(0.69)).toBe(0);
    expect(scale.y(0.43)).toBe(100);
    expect([scale.x(0), scale.x(50), scale.x(100)]).toEqual([0, 50, 100]);
  });

  it("never shows less than 0 % or more than 100 %", () => {
    const scale = fitScale([
      { at: 0, price: 0.01 },
      { at: 1, price: 0.99 },
    ]);
    expect([scale.y(0), scale.y(1)]).toEqual([100, 0]);
    expect(scale.gridlines).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  it("draws round gridlines, few of them", () => {
    expect(fitScale(POINTS).gridlines).toEqual([0.5, 0.6]);
    expect(fitScale([{ at: 0, price: 0.5 }]).gridlines).toEqual([0.46, 0.48, 0.5, 0.52, 0.54]);
  });

  it("keeps a price until the next one", () => {
    expect(stepPath(POINTS, fitScale(POINTS))).toBe("M0 8077H5000V1923H10000V2692");
  });

  it("reads off the last price that was true at a place", () => {
    expect([0, 0.49, 0.5, 0.99, 1].map((ratio) => pointAt(POINTS, ratio))).toEqual([0, 0, 1, 1, 2]);
    expect(pointAt(POINTS, -0.2)).toBe(0);
    expect(pointAt(POINTS, 1.2)).toBe(2);
  });

  it("thins points out evenly and keeps the last", () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ at, price: 0.5 }));
    const few = thinOut(many, 25);
    expect(few.length).toBeLessThanOrEqual(25);
    expect(few.at(-1)?.at).toBe(100);
    expect(thinOut(POINTS, 25)).toEqual(POINTS);
  });
});
