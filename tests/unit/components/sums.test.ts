import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMoney } from "@/components/format/numbers";
import { differsFromRows, formatAfter, missesTotal, showNeed } from "@/components/format/sums";
import { microToNumber } from "@/lib/units";

/** Parses a shown amount to cents. */
const cents = (text: string) => BigInt(text.replace("\u2212", "-").replace(/[$,.+]/g, ""));
const anyMicro = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n });
const anyPositive = fc.bigInt({ min: 0n, max: 10n ** 13n });

describe("cash after an order", () => {
  it("is the shown cash before minus the shown cost, or plus the shown proceeds", () => {
    // $31.2956 are shown as a cost of $31.30.
    expect(formatAfter(9_937.4159, -31.2956)).toBe("$9,906.12");
    expect(formatAfter(10.009, 1.009)).toBe("$11.02");
  });

  it("is within a cent of the exact amount and never below zero", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), anyMicro, (before, change) => {
        const after = cents(formatAfter(microToNumber(before), microToNumber(change)));
        const off = after * 10_000n - (before + change > 0n ? before + change : 0n);
        expect(after >= 0n && off >= -10_000n && off <= 10_000n).toBe(true);
      }),
    );
  });
});

describe("what a buy reserves", () => {
  it("is rounded up", () => {
    expect(showNeed(25.11196, 100)).toBe(25.12);
    expect(showNeed(24.99, null)).toBe(24.99);
  });

  it("is not above the shown cash if the cash covers it, and rounded up otherwise", () => {
    // 32,222.91 shares at 30 cents cost $9,666.873, from $9,666.874.
    expect(showNeed(9_666.873, 9_666.874)).toBe(9_666.87);
    expect(showNeed(9_666.873, 9_666.87)).toBe(9_666.88);
    fc.assert(
      fc.property(anyPositive, anyPositive, (one, other) => {
        const [need, available] = one < other ? [one, other] : [other, one];
        const shown = showNeed(microToNumber(need), microToNumber(available));
        const cash = cents(formatMoney(microToNumber(available)));
        const up = cents(formatMoney(microToNumber(need), "up"));
        expect(cents(formatMoney(shown))).toBe(up < cash ? up : cash);
      }),
    );
  });
});

describe("a note about rounding", () => {
  it("is due if exact parts add up and the shown ones miss the shown total", () => {
    expect(missesTotal(7_021.62447, [6_841.92647, 179.698])).toBe(true);
    expect(missesTotal(7_021.62, [6_841.92, 179.7])).toBe(false);
  });

  it("is not due if the parts are not those of the total", () => {
    expect(missesTotal(10, [0, 12.346])).toBe(false);
  });

  it("is due if one figure of a total misses the sum of its rows", () => {
    const rows = [
      { cost: 1.01, pnl: 0.5 },
      { cost: 2.02, pnl: 0.5 },
    ];
    expect(differsFromRows(["cost", "pnl"], rows, { cost: 3.03, pnl: 1 })).toBe(false);
    expect(differsFromRows(["cost", "pnl"], rows, { cost: 3.03, pnl: 1.01 })).toBe(true);
  });
});
