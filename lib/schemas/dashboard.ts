import { z } from "zod";
import { UsdcNumber } from "@/lib/schemas/units";

/** What the shell shows of the account on every page. */
export const AccountSummary = z.strictObject({
  /** Cash owned, with what open buys reserve. */
  balanceUsdc: UsdcNumber,
  /** Cash that a new order may use. */
  availableUsdc: UsdcNumber,
  reservedUsdc: UsdcNumber,
  positionsValue: UsdcNumber,
  portfolioValue: UsdcNumber,
  totalPnl: UsdcNumber,
  /** Everything paid in since the account's epoch began; null where nobody keeps account of it. */
  netDeposits: UsdcNumber.nullable(),
  openOrders: z.int(),
});
