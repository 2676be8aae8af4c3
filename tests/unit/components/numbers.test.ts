import { describe, expect, it } from "vitest";
import {
  formatCompactMoney,
  formatShortMoney,
  formatFullMoney,
  formatMoney,
  formatOrderPrice,
  formatPrice,
  formatPercent,
  formatSignedMoney,
} from "@/components/format/numbers";

describe("money in whole cents", () => {
  it("rounds to the nearest cent, what is needed up, and what there is of it down", () => {
    expect(formatMoney(998.999999)).toBe("$999.00");
    expect(formatMoney(254.24471)).toBe("$254.24");
    expect(formatMoney(28.8729)).toBe("$28.87");
    expect(formatMoney(0.0001, "up")).toBe("$0.01");
    expect(formatMoney(528.2512, "up")).toBe("$528.26");
    expect(formatMoney(998.999999, "down")).toBe("$998.99");
  });

  it.each([0, 0.29, 4.35, 1.1, 8_589_934_591.99])("doesn't change whole cents: %d", (usdc) => {
    expect(formatMoney(usdc)).toBe(formatMoney(usdc, "up"));
  });

  it("rounds gains half up, and losses like gains", () => {
    expect(formatSignedMoney(12.999)).toBe("+$13.00");
    expect(formatSignedMoney(12.994999)).toBe("+$12.99");
    expect(formatSignedMoney(1.005)).toBe("+$1.01");
    expect(formatSignedMoney(-1.005)).toBe("−$1.01");
    expect(formatSignedMoney(-7.6394)).toBe("−$7.64");
    expect(formatSignedMoney(0.001)).toBe("$0.00");
    expect(formatSignedMoney(-0.001)).toBe("$0.00");
  });
});

describe("a percentage", () => {
  it("keeps its sign when it is too small for its decimals", () => {
    expect([-0.0065, 0.049, 0].map(formatPercent)).toEqual(["−<0.1%", "+<0.1%", "0.0%"]);
    expect([-0.05, 8.34, 1234.5].map(formatPercent)).toEqual(["−0.1%", "+8.3%", "+1,235%"]);
  });
});

describe("a volume", () => {
  it("is rounded half up, so that a trade's own volume is its amount", () => {
    expect(formatCompactMoney(149.9976)).toBe("$150.00");
    expect(formatCompactMoney(109.994)).toBe("$109.99");
    expect(formatCompactMoney(1_250_000)).toBe("$1.3M");
  });
});

describe("a figure of a column with large sums", () => {
  it("is compact at any size, so that the column has one precision", () => {
    expect([950, 74_172.89, 656_500, 1_250_000].map(formatShortMoney)).toEqual([
      "$950",
      "$74.2K",
      "$656.5K",
      "$1.3M",
    ]);
    expect(formatShortMoney(null)).toBe("—");
  });
});

describe("money with all its decimals", () => {
  it("has at least two and at most six", () => {
    expect(formatFullMoney(312)).toBe("$312.00");
    expect(formatFullMoney(0.11996)).toBe("$0.11996");
    expect(formatFullMoney(-1_524.934212)).toBe("−$1,524.934212");
  });

  it("has the decimals of the amounts beside it", () => {
    const column = [179.996, 24, 0.000001];
    expect(column.map((usdc) => formatFullMoney(usdc, column))).toEqual([
      "$179.996000",
      "$24.000000",
      "$0.000001",
    ]);
    expect(formatFullMoney(24, [179.996])).toBe("$24.000");
  });
});

describe("the price of an order", () => {
  it("has the tick's decimals, and a second one only if it needs it", () => {
    expect(formatOrderPrice(0.925, "0.0025")).toBe("92.5¢");
    expect(formatOrderPrice(0.9225, "0.0025")).toBe("92.25¢");
    expect(formatOrderPrice(0.62, "0.001")).toBe("62¢");
    expect(formatOrderPrice(0.0041, "0.0001")).toBe("0.41¢");
    expect(formatOrderPrice(0.62, "0.01")).toBe("62¢");
    expect(formatOrderPrice(null)).toBe("—");
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
