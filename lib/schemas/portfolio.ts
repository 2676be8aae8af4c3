import { z } from "zod";
import { Instant, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const EquityRange = z.enum(["1d", "1w", "1m", "all"]);
export type EquityRange = z.output<typeof EquityRange>;

/** The account's value over time, oldest first. The last point is now. */
export const EquityCurve = z.strictObject({
  range: EquityRange,
  /** Whether the account is younger than the range, so that the curve covers its whole life. */
  isWhole: z.boolean(),
  points: z.array(z.strictObject({ at: Instant, value: UsdcNumber })),
  /** Deposits during the range, including the first one if it is in the range. */
  deposited: UsdcNumber,
  /** Profit or loss of the range: its last value minus its first value and deposits. */
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
