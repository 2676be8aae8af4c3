import { describe, expect, it } from "vitest";
import { placeLabels, shortName } from "@/components/charts/event-series";
import { BOX } from "@/components/charts/price-points";

describe("the labels at the ends of an event's lines", () => {
  it("are at the ends of their lines if there is room", () => {
    expect(placeLabels([2000, 8000, 5000])).toEqual([2000, 8000, 5000]);
  });

  it.each([
    [[5000, 5100, 5200, 5300]],
    [[0, 0, 0, 0]],
    [[BOX, BOX, 9900]],
    [[9300, 9800, BOX, 400]],
  ])("keep apart, in the order of the lines and inside the chart: %j", (ends) => {
    const places = placeLabels(ends);
    const sorted = places.toSorted((a, b) => a - b);
    for (const [index, place] of sorted.entries()) {
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThanOrEqual(BOX);
      if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(700);
    }
    const byEnd = ends.map((_, index) => index).toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
    expect(byEnd.map((index) => places[index])).toEqual(sorted);
  });

  it("shorten a long name, but not one that fits", () => {
    expect(shortName("Ada Lovelace")).toBe("Ada Lovelace");
    expect(shortName("Ada King Lovelace")).toBe("Ada King Lo…");
  });
});
