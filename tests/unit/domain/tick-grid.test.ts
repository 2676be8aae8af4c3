import { describe, expect, it } from "vitest";
import { ceilToGrid, floorToGrid, isOnGrid, getNeighbors } from "@/lib/domain/tick-grid";
import { price } from "@/lib/units";

const CASES = [
  { tick: 100_000n, off: 450_000n, below: 400_000n, above: 500_000n, lowest: 100_000n },
  { tick: 10_000n, off: 625_000n, below: 620_000n, above: 630_000n, lowest: 10_000n },
  { tick: 5_000n, off: 622_000n, below: 620_000n, above: 625_000n, lowest: 5_000n },
  { tick: 2_500n, off: 621_000n, below: 620_000n, above: 622_500n, lowest: 2_500n },
  { tick: 1_000n, off: 620_001n, below: 620_000n, above: 621_000n, lowest: 1_000n },
  { tick: 100n, off: 620_099n, below: 620_000n, above: 620_100n, lowest: 100n },
].map((c) => ({ ...c, tick: price(c.tick), highest: 1_000_000n - c.tick }));

describe.each(CASES)("a tick of $tick micro", ({ tick, off, below, above, lowest, highest }) => {
  it("takes its multiples from one tick to one dollar less a tick, bounds included", () => {
    for (const at of [lowest, below, above, highest]) expect(isOnGrid(price(at), tick)).toBe(true);
  });

  it("excludes prices between two ticks and outside of the bounds", () => {
    for (const at of [off, 0n, lowest - 1n, highest + 1n, 1_000_000n, 1_000_000n + tick, -tick]) {
      expect(isOnGrid(price(at), tick)).toBe(false);
    }
  });

  it("returns the two neighbors of an off-grid price, and an on-grid price twice", () => {
    expect(getNeighbors(price(off), tick)).toEqual([below, above]);
    expect(getNeighbors(price(below), tick)).toEqual([below, below]);
  });

  it("rounds a price outside of the grid to the nearest bound", () => {
    for (const at of [-1n, 0n, lowest - 1n]) {
      expect(getNeighbors(price(at), tick)).toEqual([lowest, lowest]);
    }
    for (const at of [highest + 1n, 1_000_000n, 2_000_000n]) {
      expect(getNeighbors(price(at), tick)).toEqual([highest, highest]);
    }
  });

  it("rounds down and up to the same price only on the grid", () => {
    expect([floorToGrid(off, tick), ceilToGrid(off, tick)]).toEqual([below, above]);
    expect([floorToGrid(above, tick), ceilToGrid(above, tick)]).toEqual([above, above]);
    expect([floorToGrid(-15_000n, tick), ceilToGrid(-15_000n, tick)]).toEqual([lowest, lowest]);
  });
});
