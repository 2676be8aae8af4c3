import { describe, expect, it } from "vitest";
import { formatMoney, formatPrice, formatSignedMoney } from "@/components/format/numbers";

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

describe("an average price", () => {
  it("has at most one decimal more than the tick, and no zeros at its end", () => {
    const show = (price: number, tick: string) => formatPrice(price, tick, 1);
    expect(show(0.39, "0.01")).toBe("39¢");
    expect(show(0.6237, "0.01")).toBe("62.4¢");
    expect(show(0.236, "0.001")).toBe("23.6¢");
    expect(show(0.455, "0.0025")).toBe("45.5¢");
    expect(show(0.4525, "0.0025")).toBe("45.25¢");
    expect(show(0.452512, "0.0025")).toBe("45.251¢");
    expect(formatPrice(0.62, "0.001")).toBe("62.0¢");
  });
});
