import { type KeyWithLimits, toMicro } from "@ante/client";
import { z } from "zod";

/** The limits that bound what a key can spend altogether. */
const TOTAL_LIMITS = ["perDay", "total", "openExposure"] as const;

const UNLIMITED =
  "No limit bounds what this key can spend: it can spend the whole balance. Its owner can set limits in the " +
  "dashboard, under API keys.";

/** What every tool that changes something returns about the key. */
export const SPENDING = {
  mode: z.enum(["paper", "live"]).describe("live: real money"),
  keyMayStillSpendUsdc: z.string().nullable().describe("null: no limit"),
  keyMaySpendPerOrderUsdc: z.string().nullable(),
  warnings: z.array(z.string()).describe("for the user"),
};

export type Spending = z.output<z.ZodObject<typeof SPENDING>>;

/** Describes what a key may still spend, with a warning if no limit bounds it. */
export function describeSpending({ limits, frozen, mode }: KeyWithLimits): Spending {
  const remaining = TOTAL_LIMITS.flatMap((name) => limits[name]?.remaining ?? []);
  const warnings = remaining.length > 0 ? [] : [UNLIMITED];
  if (frozen) {
    warnings.push(`Orders are refused: the ${frozen.scope} is frozen since ${frozen.at}.`);
  }
  return {
    mode,
    keyMayStillSpendUsdc: frozen ? "0" : findSmallest(remaining),
    keyMaySpendPerOrderUsdc: limits.perOrder?.limit ?? null,
    warnings,
  };
}

/** Returns the smallest of decimal texts; null if there is none. */
function findSmallest(amounts: readonly string[]): string | null {
  return amounts.toSorted((a, b) => (toMicro(a) < toMicro(b) ? -1 : 1))[0] ?? null;
}
