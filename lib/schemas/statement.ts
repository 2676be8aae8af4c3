import { z } from "zod";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const StatementKind = z.enum(["deposit", "buy", "sell", "claim"]);
export type StatementKind = z.output<typeof StatementKind>;

/** An event that changed the account's cash: a deposit, a trade with its fee, or a claim. */
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
