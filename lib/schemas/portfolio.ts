import { z } from "zod";
import { Instant, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const EquityRange = z.enum(["1d", "1w", "1m", "all"]);
export type EquityRange = z.output<typeof EquityRange>;

/** What the account was worth over time, oldest first; the last point is now. */
export const EquityCurve = z.strictObject({
  range: EquityRange,
  /** The account is younger than the range: the curve is its whole life. */
  isWhole: z.boolean(),
  points: z.array(z.strictObject({ at: Instant, value: UsdcNumber })),
  /** What was paid in during the range; the first deposit too, when the range holds it. */
  deposited: UsdcNumber,
  /** Gain or loss of the range: what it ends with less what it began with and what was paid in. */
  change: UsdcNumber,
});

/** A position that was claimed, or closed at nothing. */
export const RedemptionReceipt = z.strictObject({
  marketTitle: z.string(),
  outcome: z.string(),
  shares: SharesNumber,
  payoutUsdc: UsdcNumber,
  at: Instant,
});
