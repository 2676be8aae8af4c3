import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMoney } from "@/components/format/numbers";
import { formatAfter, formatRest, showCost } from "@/components/format/sums";
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
        expect(rest + cents(formatMoney(microToNumber(part)))).toBe(shown);
        const off = rest * 10_000n - (whole - part);
        expect(off > -10_000n && off < 10_000n).toBe(true);
      }),
    );
  });
});

describe("cash after an order", () => {
  it("is the cash before minus the shown cost, or plus the shown proceeds", () => {
    // $31.2956 are shown as a cost of $31.30.
    expect(formatAfter(9_937.4159, -31.2956)).toBe("$9,906.11");
    expect(formatAfter(10.009, 1.009)).toBe("$11.00");
  });

  it("is never overstated and never below zero", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), anyMicro, (before, change) => {
        const after = cents(formatAfter(microToNumber(before), microToNumber(change)));
        const exact = before + change > 0n ? before + change : 0n;
        expect(after * 10_000n <= exact && after >= 0n).toBe(true);
        expect(after * 10_000n > exact - 20_000n).toBe(true);
      }),
    );
  });
});

describe("the cost of a buy", () => {
  it("is rounded up, like every payment", () => {
    expect(showCost(25.11196, 100)).toBe(25.12);
    expect(showCost(24.99, null)).toBe(24.99);
  });

  it("is not above the shown cash if the cash covers it, and rounded up otherwise", () => {
    // 32,222.91 shares at 30 cents cost $9,666.873, from $9,666.879.
    expect(showCost(9_666.873, 9_666.879)).toBe(9_666.87);
    expect(showCost(9_666.873, 9_666.87)).toBe(9_666.88);
    fc.assert(
      fc.property(anyPositive, anyPositive, (one, other) => {
        const [cost, available] = one < other ? [one, other] : [other, one];
        const shown = showCost(microToNumber(cost), microToNumber(available));
        const cash = cents(formatMoney(microToNumber(available)));
        const up = cents(formatMoney(microToNumber(cost), "up"));
        expect(cents(formatMoney(shown))).toBe(up < cash ? up : cash);
        const after = cents(formatAfter(microToNumber(available), microToNumber(-cost)));
        expect(after).toBe(cash - cents(formatMoney(shown)));
      }),
    );
  });
});
