import { describe, expect, it } from "vitest";
import { formatMoney, formatSignedMoney } from "@/components/format/numbers";

describe("money in whole cents", () => {
  it("rounds balances down and payments up", () => {
    expect(formatMoney(998.999999)).toBe("$998.99");
    expect(formatMoney(0.0001, "up")).toBe("$0.01");
    expect(formatMoney(528.2512, "up")).toBe("$528.26");
  });

  it.each([0, 0.29, 4.35, 1.1, 8_589_934_591.99])("doesn't change whole cents: %d", (usdc) => {
    expect(formatMoney(usdc)).toBe(formatMoney(usdc, "up"));
  });

  it("rounds gains down and losses up", () => {
    expect(formatSignedMoney(12.999)).toBe("+$12.99");
    expect(formatSignedMoney(-3.101)).toBe("−$3.11");
    expect(formatSignedMoney(0.001)).toBe("$0.00");
  });
});
