import { describe, expect, it } from "vitest";
import {
  add,
  averagePrice,
  complement,
  divide,
  formatMicro,
  formatUsdc,
  larger,
  MAX_MICRO,
  microToNumber,
  NO_USDC,
  notional,
  parseMicro,
  computePercent,
  price,
  shares,
  smaller,
  subtract,
  sum,
  usdc,
} from "@/lib/units";

describe("parseMicro", () => {
  it.each([
    ["0", 0n],
    ["-0", 0n],
    ["1", 1_000_000n],
    ["1.5", 1_500_000n],
    ["0.000001", 1n],
    ["-0.000001", -1n],
    ["007.10", 7_100_000n],
    ["8.29", 8_290_000n],
    ["999999999.999999", 999_999_999_999_999n],
    ["-999999999.999999", -999_999_999_999_999n],
  ])("reads %s as exactly %s micro", (text, micro) => {
    expect(parseMicro(text)).toEqual({ ok: true, micro });
  });

  it.each([
    ["0.0000001", "too_many_decimals"],
    ["1.0000000", "too_many_decimals"],
    ["1e-7", "too_many_decimals"],
    ["-1.5e-7", "too_many_decimals"],
    ["8589934592", "too_large"],
    ["-8589934592", "too_large"],
    ["1e+21", "too_large"],
    ["-1.7976931348623157e+308", "too_large"],
    ["", "not_a_number"],
    [" 1", "not_a_number"],
    ["1\n", "not_a_number"],
    ["+1", "not_a_number"],
    [".5", "not_a_number"],
    ["5.", "not_a_number"],
    ["1,000", "not_a_number"],
    ["1.2.3", "not_a_number"],
    ["0x10", "not_a_number"],
    ["1e5", "not_a_number"],
    ["NaN", "not_a_number"],
    ["Infinity", "not_a_number"],
    ["-", "not_a_number"],
    ["\u0661", "not_a_number"],
  ])("refuses %j: %s", (text, reason) => {
    expect(parseMicro(text)).toEqual({ ok: false, reason });
  });

  it.each([
    [8.29, 8_290_000n],
    [1.1, 1_100_000n],
    [0.07, 70_000n],
    [4.35, 4_350_000n],
    [1e-6, 1n],
    [1e6, 1_000_000_000_000n],
    [123456789.123456, 123_456_789_123_456n],
  ])("reads the JSON number %d exactly through its text", (number, micro) => {
    expect(parseMicro(String(number))).toEqual({ ok: true, micro });
  });

  it.each([
    [0.1 + 0.2, "too_many_decimals"],
    [1e-7, "too_many_decimals"],
    [5e-324, "too_many_decimals"],
    [2 ** 33, "too_large"],
    [1e21, "too_large"],
    [Number.NaN, "not_a_number"],
    [Number.POSITIVE_INFINITY, "not_a_number"],
  ])("refuses the JSON number %d instead of rounding it: %s", (number, reason) => {
    expect(parseMicro(String(number))).toEqual({ ok: false, reason });
  });
});

describe("format", () => {
  it.each([
    [0n, "0", "0.00"],
    [1n, "0.000001", "0.000001"],
    [-1n, "-0.000001", "-0.000001"],
    [1_500_000n, "1.5", "1.50"],
    [-1_500_000n, "-1.5", "-1.50"],
    [5_000_000n, "5", "5.00"],
    [10_000_000n, "10", "10.00"],
    [123_456n, "0.123456", "0.123456"],
    [1_234_567_890n, "1234.56789", "1234.56789"],
  ])("shows %s micro as %s, and as money as %s", (micro, plain, money) => {
    expect(formatMicro(micro)).toBe(plain);
    expect(formatUsdc(micro)).toBe(money);
  });
});

describe("microToNumber", () => {
  it.each([
    [0n, 0],
    [1n, 0.000001],
    [-2_500_000n, -2.5],
    [MAX_MICRO, 8_589_934_591.999999],
    [-MAX_MICRO, -8_589_934_591.999999],
  ])("turns %s micro into the JSON number %d", (micro, number) => {
    expect(microToNumber(micro)).toBe(number);
  });

  it.each([MAX_MICRO + 1n, -MAX_MICRO - 1n])(
    "throws on %s, which a number can't represent",
    (micro) => {
      expect(() => microToNumber(micro)).toThrow(`${micro} does not fit a JSON number`);
    },
  );
});

describe("rounding", () => {
  it.each([
    [1_000_000n, 620_000n, 620_000n, 620_000n],
    [10_000n, 620_000n, 6_200n, 6_200n],
    [1n, 500_000n, 0n, 1n],
    [3n, 333_333n, 0n, 1n],
    [1n, 999_999n, 0n, 1n],
    [0n, 999_999n, 0n, 0n],
    [999_999_999_999_999n, 999_999n, 999_998_999_999_999n, 999_999_000_000_000n],
  ])("%s micro-shares at %s are worth %s down and %s up", (size, at, down, up) => {
    expect(notional(shares(size), price(at), "down")).toBe(down);
    expect(notional(shares(size), price(at), "up")).toBe(up);
  });

  it("divides exactly without a carry, and up only when something is left", () => {
    expect(divide(6n, 3n, "up")).toBe(2n);
    expect(divide(7n, 3n, "down")).toBe(2n);
    expect(divide(7n, 3n, "up")).toBe(3n);
  });

  it("cuts an average price to six decimals", () => {
    expect(averagePrice(usdc(99_995_300n), shares(160_310_000n))).toBe(623_762n);
    expect(averagePrice(usdc(2n), shares(3n))).toBe(666_666n);
  });
});

describe("arithmetic", () => {
  it("adds, subtracts, compares and sums integers of one unit", () => {
    expect(add(usdc(2n), usdc(3n))).toBe(5n);
    expect(subtract(usdc(2n), usdc(3n))).toBe(-1n);
    expect([smaller(2n, 3n), smaller(3n, 2n), smaller(2n, 2n)]).toEqual([2n, 2n, 2n]);
    expect([larger(2n, 3n), larger(3n, 2n), larger(2n, 2n)]).toEqual([3n, 3n, 2n]);
    expect(sum([usdc(1n), usdc(2n), usdc(3n)])).toBe(6n);
    expect(sum([])).toBe(NO_USDC);
  });

  it("prices the other outcome at 1 - price", () => {
    expect(complement(price(620_000n))).toBe(380_000n);
    expect(complement(price(0n))).toBe(1_000_000n);
  });
});

describe("computePercent", () => {
  it("is the part in percent of the whole, at scale 6", () => {
    expect(computePercent(usdc(1n), usdc(8n))).toBe(12_500_000n);
    expect(computePercent(usdc(-50_000n), usdc(100_000n))).toBe(-50_000_000n);
  });

  it("is 0 for a cost of zero", () => {
    expect(computePercent(usdc(5n), NO_USDC)).toBe(0n);
  });

  it("stays within the range of a JSON number for a cost of a millionth", () => {
    expect(microToNumber(computePercent(usdc(85_899_346n), usdc(1n)))).toBe(
      Number(MAX_MICRO) / 1e6,
    );
    expect(computePercent(usdc(-85_899_346n), usdc(1n))).toBe(-MAX_MICRO);
  });
});
