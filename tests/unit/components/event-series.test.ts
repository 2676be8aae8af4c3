import { describe, expect, it } from "vitest";
import { pointBefore } from "@/components/charts/chart-scale";
import { placeLabels, shortName } from "@/components/charts/event-series";

describe("the labels at the ends of an event's lines", () => {
  it("stand at their lines where there is room", () => {
    expect(placeLabels([20, 80, 50])).toEqual([20, 80, 50]);
  });

  it.each([[[50, 51, 52, 53]], [[0, 0, 0, 0]], [[100, 100, 99]], [[93, 98, 100, 4]]])(
    "keep apart, in the order of the lines and inside the chart: %j",
    (ends) => {
      const places = placeLabels(ends);
      const sorted = places.toSorted((a, b) => a - b);
      for (const [index, place] of sorted.entries()) {
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(100);
        if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(7);
      }
      const byEnd = ends
        .map((_, index) => index)
        .toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
      expect(byEnd.map((index) => places[index])).toEqual(sorted);
    },
  );

  it("shorten a long name, but not one that fits", () => {
    expect(shortName("Ada Lovelace")).toBe("Ada Lovelace");
    expect(shortName("Ada King Lovelace")).toBe("Ada King Lo…");
  });
});

describe("the price at a time", () => {
  const points = [
    { at: 10, price: 0.1 },
    { at: 20, price: 0.2 },
  ];

  it("is that of the last point not after it, and none before the first", () => {
    expect(pointBefore(points, 20)?.price).toBe(0.2);
    expect(pointBefore(points, 19)?.price).toBe(0.1);
    expect(pointBefore(points, 9)).toBeUndefined();
  });
});
