import { describe, expect, it } from "vitest";
import {
  computeNextPart,
  computePart,
  computePartPercent,
  SIZE_STEP,
} from "@/lib/domain/ticket/sizes";

const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/** Micro-USDC or micro-shares, some of them with a rest below a cent. */
const BALANCES = [2_000_000n, 2_345_678n, 9_990_000n, 97_530_000n, 1_000_000_000n, 6_537_071_234n];
const TINY_BALANCES = [10_000n, 20_000n, 25_001n, 70_000n, 333_333n, 500_000n, 999_999n];

/** Presses an arrow key until the slider no longer moves. Returns the percents it shows. */
function press(largest: bigint, { from, step }: { from: bigint; step: 1 | -1 }): number[] {
  const end = step > 0 ? 100 : 0;
  const shown = [computePartPercent(from, largest)];
  let size = from;
  while (shown.at(-1) !== end && shown.length <= 101) {
    const percent = computePartPercent(size, largest) + step;
    size = computeNextPart(largest, { size, percent });
    shown.push(computePartPercent(size, largest));
  }
  return shown;
}

describe("a part of the largest size", () => {
  it.each(BALANCES)("reads back as its percentage, for a balance of %s", (largest) => {
    const read = PERCENTS.map((percent) =>
      computePartPercent(computePart(largest, BigInt(percent)), largest),
    );
    expect(read).toEqual(PERCENTS);
  });

  it("is 100 percent only at the largest size of an order", () => {
    expect(computePartPercent(999_990_000n, 1_000_000_000n)).toBe(99);
    expect(computePartPercent(1_000_000_000n, 1_000_000_000n)).toBe(100);
    expect(computePartPercent(2_000_000_000n, 1_000_000_000n)).toBe(100);
    expect(computePartPercent(10_000n, 15_000n)).toBe(100);
  });

  it("is 0 percent if no order is possible", () => {
    expect(computePartPercent(5n, 0n)).toBe(0);
    expect(computePartPercent(5n, SIZE_STEP - 1n)).toBe(0);
  });
});

describe("the slider's arrow keys", () => {
  it.each(BALANCES)("move by 1 percent from end to end, for a balance of %s", (largest) => {
    expect(press(largest, { from: 0n, step: 1 })).toEqual(PERCENTS);
    const most = computePart(largest, 100n);
    expect(press(largest, { from: most, step: -1 })).toEqual(PERCENTS.toReversed());
  });

  it.each(TINY_BALANCES)("move at each press to the end, for a tiny balance of %s", (largest) => {
    const up = press(largest, { from: 0n, step: 1 });
    expect([up[0], up.at(-1)]).toEqual([0, 100]);
    expect(up).toEqual([...new Set(up)].toSorted((one, other) => one - other));
    const down = press(largest, { from: computePart(largest, 100n), step: -1 });
    expect([down[0], down.at(-1)]).toEqual([100, 0]);
    expect(down).toEqual([...new Set(down)].toSorted((one, other) => other - one));
  });

  it("move away from a typed size between two percents", () => {
    const [largest, size] = [333_333n, 150_000n];
    const shown = computePartPercent(size, largest);
    for (const step of [1, -1]) {
      const next = computeNextPart(largest, { size, percent: shown + step });
      expect((computePartPercent(next, largest) - shown) * step).toBeGreaterThan(0);
    }
  });
});
