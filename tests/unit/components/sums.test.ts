import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMoney, formatSignedMoney, formatTradeMoney } from "@/components/format/numbers";
import { formatAfter, formatRest, showCost, showTrade } from "@/components/format/sums";
import { microToNumber } from "@/lib/units";

/** Parses a shown amount to cents. */
const cents = (text: string) => BigInt(text.replace("\u2212", "-").replace(/[$,.+]/g, ""));
const anyMicro = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n });
const anyPositive = fc.bigInt({ min: 0n, max: 10n ** 13n });

describe("the rest of a sum", () => {
  it("adds up where separately rounded figures would not", () => {
    // Bought for $10.0044 and worth the same. Rounded separately: $10.01 and $10.00.
    expect(formatRest(10.0044, 0)).toBe("$10.00");
    expect(formatRest(12.009, 2.008)).toBe("$10.00");
    expect(formatRest(2.008, 1.004)).toBe("$1.00");
    expect(formatRest(0.3, -0.000001)).toBe("$0.31");
  });

  it("adds up for every total and part, and differs by less than a cent from the exact rest", () => {
    fc.assert(
      fc.property(anyMicro, anyMicro, (whole, part) => {
        const rest = cents(formatRest(microToNumber(whole), microToNumber(part)));
        const shown = cents(formatMoney(microToNumber(whole)));
        expect(rest + cents(formatSignedMoney(microToNumber(part)))).toBe(shown);
        const off = rest * 10_000n - (whole - part);
        expect(off > -10_000n && off < 10_000n).toBe(true);
      }),
    );
  });
});

describe("what a trade moves", () => {
  it("is rounded half up, in texts and in sums", () => {
    expect(formatTradeMoney(25.11196)).toBe("$25.11");
    expect(formatTradeMoney(24.995)).toBe("$25.00");
    expect(formatTradeMoney(1.005)).toBe("$1.01");
    const half = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((whole) => whole * 10_000n + 5_000n);
    fc.assert(
      fc.property(fc.oneof(anyMicro, half), (exact) => {
        const shown = formatTradeMoney(microToNumber(exact));
        expect(formatMoney(showTrade(microToNumber(exact)))).toBe(shown);
        const off = cents(shown) * 10_000n - exact;
        expect(exact < 0n ? -off : off).toBeGreaterThan(-5_000n);
        expect(exact < 0n ? -off : off).toBeLessThanOrEqual(5_000n);
      }),
    );
  });
});

describe("the cost of a buy", () => {
  it("is its total once it has filled", () => {
    expect(showCost(25.11196, 100)).toBe(25.11);
    expect(showCost(24.995, null)).toBe(25);
  });

  it("is not above the shown cash if the cash covers it", () => {
    // 32,222.91 shares at 30 cents cost $9,666.873, from $9,666.879.
    expect(showCost(9_666.877, 9_666.879)).toBe(9_666.87);
    expect(showCost(9_666.877, 9_666.87)).toBe(9_666.88);
    fc.assert(
      fc.property(anyPositive, anyPositive, (one, other) => {
        const [cost, available] = one < other ? [one, other] : [other, one];
        const shown = showCost(microToNumber(cost), microToNumber(available));
        const cash = cents(formatMoney(microToNumber(available)));
        expect(cents(formatMoney(shown))).toBeLessThanOrEqual(cash);
        const after = cents(formatAfter(microToNumber(available), -shown));
        expect(after).toBe(cash - cents(formatMoney(shown)));
      }),
    );
  });
});

describe("cash after an order", () => {
  it("is the shown cash before minus the shown cost, or plus the shown proceeds", () => {
    expect(formatAfter(9_937.4159, -31.3)).toBe("$9,906.11");
    expect(formatAfter(10.009, 1.01)).toBe("$11.01");
  });

  it("is never below zero", () => {
    expect(formatAfter(10, -10.01)).toBe("$0.00");
  });
});
