import { z } from "zod";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const EquityRange = z.enum(["1d", "1w", "1m", "all"]);
export type EquityRange = z.output<typeof EquityRange>;

/** The account's value over time, oldest first. The last point is now. */
export const EquityCurve = z.strictObject({
  range: EquityRange,
  /** Whether the account is younger than the range, so that the curve covers its whole life. */
  isWhole: z.boolean(),
  points: z.array(
    z.strictObject({
      at: Instant,
      value: UsdcNumber,
      /** Deposits up to then. The value minus them is the profit. */
      paidIn: UsdcNumber,
    }),
  ),
  /** The outcomes of the trades. Trades refer to them, because titles are long. */
  outcomes: z.array(
    z.strictObject({ marketTitle: z.string(), outcome: z.string(), tickSize: z.string() }),
  ),
  /** The trades since the point before, for each point with trades. */
  trades: z.array(
    z.strictObject({
      /** The index of the point. */
      point: z.int(),
      /** All fills, also those that are not among the largest trades. */
      fills: z.int(),
      /** The fills of one outcome and action together, largest amount first. */
      largest: z.array(
        z.strictObject({
          /** The index of the outcome. */
          outcome: z.int(),
          action: z.enum(["BUY", "SELL"]),
          fills: z.int(),
          shares: SharesNumber,
          averagePrice: PriceNumber,
        }),
      ),
    }),
  ),
  /** Deposits during the range, including the first one if it is in the range. */
  deposited: UsdcNumber,
  /** Profit or loss of the range: its last value minus its first value and deposits. */
  change: UsdcNumber,
});

/** The trades of a position. */
export const TradedSums = z.strictObject({
  /** All buys, before fees. */
  boughtUsdc: UsdcNumber,
  /** All sales, and the payout if there was one, before fees. */
  receivedUsdc: UsdcNumber,
  fees: UsdcNumber,
});

/** A position that was claimed, or closed at nothing. */
export const RedemptionReceipt = z.strictObject({
  marketTitle: z.string(),
  outcome: z.string(),
  shares: SharesNumber,
  payoutUsdc: UsdcNumber,
  /** The trades since the account had no shares; null if its wallet may also trade outside of Ante. */
  traded: TradedSums.nullable(),
  at: Instant,
});

/** What was claimed since an instant. */
export const RedemptionTotal = z.strictObject({
  payoutUsdc: UsdcNumber,
  /** Positions that paid. */
  won: z.int(),
  /** Positions that were closed at nothing. */
  lost: z.int(),
});

/** A position from its first buy until it had no shares left. Buying again begins another one. */
export const ClosedPosition = z.strictObject({
  id: z.string(),
  marketTitle: z.string(),
  marketSlug: z.string(),
  iconUrl: z.string(),
  outcome: z.string(),
  /** Shares of all buys. */
  shares: SharesNumber,
  /** Before fees. */
  boughtUsdc: UsdcNumber,
  /** Sales and payout, before fees. */
  receivedUsdc: UsdcNumber,
  end: z.enum(["sold", "won", "lost"]),
  fees: UsdcNumber,
  /** After fees. */
  pnl: UsdcNumber,
  closedAt: Instant,
});

export const ClosedPositions = z.strictObject({
  positions: z.array(ClosedPosition),
  nextCursor: z.string().nullable(),
});

/** All closed positions of an account together, and the profit that they are part of. */
export const ClosedTotals = z.strictObject({
  count: z.int(),
  /** Received minus bought, before fees. */
  profit: UsdcNumber,
  fees: UsdcNumber,
  /** The account's realized profit before fees, also of shares sold of positions that are still held. */
  realized: UsdcNumber,
});

/** Shares of both outcomes of a market, which can be merged into dollars. */
export const MergeablePairs = z.strictObject({
  marketId: z.string(),
  marketTitle: z.string(),
  marketSlug: z.string().nullable(),
  iconUrl: z.string().nullable(),
  outcomes: z.array(z.string()),
  /** Of each outcome, without those that open orders reserve. A pair pays one dollar. */
  shares: SharesNumber,
});
