import { describe, expect, it } from "vitest";
import { readTyped } from "@/lib/domain/ticket/typed-number";

const number = (micro: bigint, decimals: number) => ({ kind: "number", micro, decimals });

describe("a typed number", () => {
  it.each<[string, bigint, number]>([
    ["25", 25_000_000n, 0],
    ["25.50", 25_500_000n, 1],
    ["25,5", 25_500_000n, 1],
    [" $ 1 000 ", 1_000_000_000n, 0],
    ["1\u00a0000,25", 1_000_250_000n, 2],
    ["62¢", 62_000_000n, 0],
    [".5", 500_000n, 1],
    ["5.", 5_000_000n, 0],
    ["1,234.50", 1_234_500_000n, 1],
    ["1.234,50", 1_234_500_000n, 1],
    ["1,234,567", 1_234_567_000_000n, 0],
    ["0.625", 625_000n, 3],
    ["12.3456789", 12_345_678n, 7],
    ["1234.567", 1_234_567_000n, 3],
    ["0", 0n, 0],
    ["1,000", 1_000_000_000n, 0],
    ["999,000", 999_000_000_000n, 0],
    ["$1,234", 1_234_000_000n, 0],
    ["1,5", 1_500_000n, 1],
    ["1,50", 1_500_000n, 1],
    ["0,125", 125_000n, 3],
  ])("%j is parsed as intended", (text, micro, decimals) => {
    expect(readTyped(text, true)).toEqual(number(micro, decimals));
  });

  it.each(["1.234", "12.345", "1.000", "1,0000", "1234,567", "10,00000"])(
    "%j is ambiguous and rejected",
    (text) => {
      expect(readTyped(text, true)).toEqual({ kind: "invalid" });
    },
  );

  it.each(["62.125", "62,125"])("%j is parsed with decimals as a price", (text) => {
    expect(readTyped(text, false)).toEqual(number(62_125_000n, 3));
  });

  it.each(["abc", "-5", "+5", "1e3", "1.2.3", "1,23,456", "1.234,567.8", ".", ",", "٣", "NaN"])(
    "%j is not a number",
    (text) => {
      expect(readTyped(text, true)).toEqual({ kind: "invalid" });
    },
  );

  it("a number above every limit is too large", () => {
    expect(readTyped("9".repeat(20), true)).toEqual({ kind: "too_large" });
  });

  it.each(["", "  ", "$", "¢ "])("%j is empty", (text) => {
    expect(readTyped(text, true)).toEqual({ kind: "empty" });
  });
});
