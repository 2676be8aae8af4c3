import { describe, expect, it } from "vitest";
import { toMicro, toNearestMicro } from "@/lib/polymarket/wire/decimal";

describe("decimals of the venue", () => {
  it.each([
    ["0.52", 520_000n, 520_000n],
    [0.1, 100_000n, 100_000n],
    ["10", 10_000_000n, 10_000_000n],
    [".5", null, null],
    ["0.1234567", 123_456n, 123_457n],
    [0.300_000_000_000_000_04, 300_000n, 300_000n],
    [0.469_999_999_999_9, 469_999n, 470_000n],
    [1e-7, 0n, 0n],
    [5.5e-7, 0n, 1n],
    [1.5e-6, 1n, 2n],
    [-1.5, null, -1_500_000n],
    [-2.5e-7, null, 0n],
    ["-0.0000005", null, -1n],
    [1e21, null, null],
    [Number.NaN, null, null],
    ["1e5", null, null],
    ["", null, null],
    ["12 ", null, null],
    [13_003.674_771, 13_003_674_771n, 13_003_674_771n],
  ])("%s is truncated to %s and rounded to %s", (value, cut, nearest) => {
    expect(toMicro(value)).toBe(cut);
    expect(toNearestMicro(value)).toBe(nearest);
  });
});
