import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { computeTakerFee, computeMaxTakerFee, computeMaxTakerFeeOfAmount } from "@/lib/domain/fees";
import { formatMicro, parseMicro, price, shares, usdc } from "@/lib/units";

const VECTORS = fileURLToPath(
  new URL("../../../../shared/data/polymarket/vectors/fees.json", import.meta.url),
);
const HUNDRED = shares(100_000_000n);
const CRYPTO = 70_000n;

describe("computeTakerFee", () => {
  it.each([
    ["100", "0.5", "0.07", "1.75"],
    ["100", "0.3", "0.07", "1.47"],
    ["100", "0.7", "0.07", "1.47"],
    ["100", "0.5", "0.04", "1"],
    ["100", "0.5", "0.05", "1.25"],
    ["100", "0.01", "0.07", "0.0693"],
    ["100", "0.99", "0.07", "0.0693"],
    ["0.01", "0.5", "0.07", "0.00017"],
    ["0.01", "0.01", "0.07", "0"],
    ["160.31", "0.62", "0.05", "1.88845"],
    ["100", "0.5", "0", "0"],
  ])("of %s shares at %s with rate %s is %s", (size, at, rate, fee) => {
    expect(formatMicro(computeTakerFee(shares(micro(size)), price(micro(at)), micro(rate)))).toBe(
      fee,
    );
  });

  it.skipIf(!existsSync(VECTORS))(
    "agrees with Polymarket's vectors, cut to five decimals (skipped without ../shared)",
    () => {
      const { platform, liveSchedules } = readVectors();
      expect(platform.length).toBeGreaterThan(0);
      for (const { contracts, price: at, rate, exponent, fee } of platform) {
        // The vectors are of exponent 2: one of the two factors p(1-p) moves into the rate.
        expect(exponent).toBe(2);
        const [p, r] = [micro(String(at)), micro(String(rate))];
        const folded = (r * p * (1_000_000n - p)) / 10n ** 12n;
        expect(folded * 10n ** 12n).toBe(r * p * (1_000_000n - p));
        const expected = micro(/^\d+(\.\d{0,5})?/.exec(String(fee))?.[0] ?? "");
        expect(computeTakerFee(shares(micro(String(contracts))), price(p), folded)).toBe(expected);
      }
      expect(liveSchedules.length).toBeGreaterThan(0);
      for (const { feeSchedule } of liveSchedules) {
        expect(feeSchedule.exponent).toBe(1);
        const rate = micro(String(feeSchedule.rate));
        expect(computeTakerFee(HUNDRED, price(500_000n), rate)).toBe(25n * rate);
      }
    },
  );
});

describe("computeMaxTakerFee", () => {
  it.each<[bigint, bigint, string]>([
    [300_000n, 1_470_000n, "at a limit below one half"],
    [500_000n, 1_750_000n, "at one half"],
    [990_000n, 1_750_000n, "as if filled at one half above it"],
  ])("of 100 shares with limit %s is %s micro, %s", (limit, fee, _why) => {
    expect(computeMaxTakerFee(HUNDRED, price(limit), CRYPTO)).toBe(fee);
  });
});

describe("computeMaxTakerFeeOfAmount", () => {
  it.each<[bigint, bigint, bigint, string]>([
    [100_000_000n, 620_000n, 2_660_000n, "rate times one less price"],
    [100_000_000n, 0n, 7_000_000n, "the whole rate at price zero"],
    [1n, 500_000n, 1n, "rounded up"],
    [0n, 500_000n, 0n, "nothing for nothing"],
  ])("of %s micro-USDC at %s or above is %s: %s", (amount, lowest, fee, _why) => {
    expect(computeMaxTakerFeeOfAmount(usdc(amount), price(lowest), CRYPTO)).toBe(fee);
  });
});

function micro(text: string): bigint {
  const parsed = parseMicro(text);
  if (!parsed.ok) throw new Error(`${text} is ${parsed.reason}`);
  return parsed.micro;
}

interface Vectors {
  platform: { contracts: number; price: number; rate: number; exponent: number; fee: number }[];
  liveSchedules: { feeSchedule: { rate: number; exponent: number } }[];
}

function readVectors(): Vectors {
  const vectors: Vectors = JSON.parse(readFileSync(VECTORS, "utf8"));
  return vectors;
}
