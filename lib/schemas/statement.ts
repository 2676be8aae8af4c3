import { z } from "zod";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

const StatementKind = z.enum(["deposit", "buy", "sell", "claim", "split", "merge"]);

/** What the activity page can be filtered by: a kind, or everything with a fee. */
export const StatementType = z.enum([...StatementKind.options, "fee"]);
export type StatementType = z.output<typeof StatementType>;

/** An event that changed the account's cash: a deposit, a trade with its fee, a claim, a split or a merge. */
export const StatementLine = z.strictObject({
  id: z.string(),
  kind: StatementKind,
  /** The change of the cash, including the fee; negative for a payment. */
  amountUsdc: UsdcNumber,
  /** The fee that is part of the amount. */
  feeUsdc: UsdcNumber,
  /** Cash owned afterwards. */
  balanceUsdc: UsdcNumber,
  market: z
    .strictObject({
      title: z.string(),
      slug: z.string(),
      iconUrl: z.string(),
      outcome: z.string(),
      tickSize: z.string(),
    })
    .nullable(),
  orderId: z.string().nullable(),
  shares: SharesNumber.nullable(),
  price: PriceNumber.nullable(),
  createdAt: Instant,
});

export const Statement = z.strictObject({
  lines: z.array(StatementLine),
  nextCursor: z.string().nullable(),
});

/** The sums over all matching lines of a period, exact. */
export const StatementTotals = z.strictObject({
  lines: z.int(),
  /** Money that came in and went out, including fees. Neither is negative. */
  receivedUsdc: UsdcNumber,
  paidUsdc: UsdcNumber,
  feesUsdc: UsdcNumber,
  /** Cash before and after the lines; null if a filter leaves lines out in between. */
  openingUsdc: UsdcNumber.nullable(),
  closingUsdc: UsdcNumber.nullable(),
});

/** A page of the statement with the totals of its months and of all matching lines. */
export const StatementSheet = Statement.extend({
  /** The months of the page's lines in the user's time zone, newest first. */
  months: z.array(StatementTotals.extend({ month: z.string().regex(/^\d{4}-\d{2}$/) })),
  /** Null without lines. */
  total: StatementTotals.nullable(),
});
