import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  averagePrice,
  complement,
  divide,
  formatMicro,
  formatUsdc,
  MAX_MICRO,
  microToNumber,
  notional,
  ONE,
  parseMicro,
  price,
  SCALE,
  shares,
  usdc,
} from "@/lib/units";

const RUNS = { numRuns: 2_000 };
const anyMicro = fc.bigInt({ min: -MAX_MICRO, max: MAX_MICRO });
const anyPositive = fc.bigInt({ min: 1n, max: MAX_MICRO });
const anyPrice = fc.bigInt({ min: 0n, max: ONE }).map(price);

describe("text and numbers", () => {
  it("parse(format(x)) is x, and the text has at most six decimals and no padding", () => {
    fc.assert(
      fc.property(anyMicro, (micro) => {
        const text = formatMicro(micro);
        expect(parseMicro(text)).toEqual({ ok: true, micro });
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/);
      }),
      RUNS,
    );
  });

  it("a micro value survives a round trip through a JSON number", () => {
    fc.assert(
      fc.property(anyMicro, (micro) => {
        const received: unknown = JSON.parse(JSON.stringify(microToNumber(micro)));
        expect(parseMicro(String(received))).toEqual({ ok: true, micro });
      }),
      RUNS,
    );
  });

  it("a number of at most six decimals is parsed exactly and any finer one is refused", () => {
    const anyDigits = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
    fc.assert(
      fc.property(anyDigits, fc.integer({ min: 6, max: 12 }), (digits, decimals) => {
        const number = Number(`${digits}e-${decimals}`);
        const finer = 10n ** BigInt(decimals - 6);
        expect(parseMicro(String(number))).toEqual(
          digits % finer === 0n
            ? { ok: true, micro: digits / finer }
            : { ok: false, reason: "too_many_decimals" },
        );
      }),
      RUNS,
    );
  });

  it("every parsed double equals its input", () => {
    fc.assert(
      fc.property(fc.double(), (number) => {
        const parsed = parseMicro(String(number));
        expect(parsed.ok ? Number(formatMicro(parsed.micro)) === number : true).toBe(true);
      }),
      RUNS,
    );
  });

  it("text that is not a plain decimal number is never parsed", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^-?\d+(\.\d+)?$/.test(text));
        expect(parseMicro(text).ok).toBe(false);
      }),
      RUNS,
    );
  });

  it("formatUsdc shows the same value with two to six decimals", () => {
    fc.assert(
      fc.property(anyMicro, (micro) => {
        const text = formatUsdc(micro);
        expect(text).toMatch(/^-?\d+\.\d{2,6}$/);
        expect(parseMicro(text)).toEqual({ ok: true, micro });
      }),
      RUNS,
    );
  });
});

describe("arithmetic", () => {
  it("division rounds in the requested direction by less than one micro", () => {
    fc.assert(
      fc.property(anyPositive, anyPositive, (dividend, divisor) => {
        const [down, up] = [
          divide(dividend, divisor, "down"),
          divide(dividend, divisor, "up"),
        ] as const;
        expect(down * divisor <= dividend && up * divisor >= dividend).toBe(true);
        expect(up - down).toBe(dividend % divisor === 0n ? 0n : 1n);
      }),
      RUNS,
    );
  });

  it("the buyer's charge exceeds the seller's credit by at most one micro", () => {
    fc.assert(
      fc.property(anyPositive.map(shares), anyPrice, (size, at) => {
        const [paid, credited] = [notional(size, at, "up"), notional(size, at, "down")];
        expect(paid === credited || paid === credited + 1n).toBe(true);
        expect(paid * SCALE >= size * at && credited * SCALE <= size * at).toBe(true);
      }),
      RUNS,
    );
  });

  it("the two outcomes of a share pay $1 together with either rounding", () => {
    fc.assert(
      fc.property(anyPositive.map(shares), anyPrice, (size, at) => {
        const other = complement(at);
        expect(notional(size, at, "down") + notional(size, other, "up")).toBe(size);
        expect(complement(other)).toBe(at);
      }),
      RUNS,
    );
  });

  it("an average price times its shares never exceeds the cost", () => {
    fc.assert(
      fc.property(anyPositive.map(usdc), anyPositive.map(shares), (cost, size) => {
        const average = averagePrice(cost, size);
        expect(average * size <= cost * SCALE).toBe(true);
        expect((average + 1n) * size > cost * SCALE).toBe(true);
      }),
      RUNS,
    );
  });
});
