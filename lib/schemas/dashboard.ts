import { z } from "zod";
import { UsdcNumber } from "@/lib/schemas/units";

/** The account figures that every page shows. */
export const AccountSummary = z.strictObject({
  /** Cash owned, including cash that open buys reserve. */
  balanceUsdc: UsdcNumber,
  /** Cash that a new order can use. */
  availableUsdc: UsdcNumber,
  reservedUsdc: UsdcNumber,
  positionsValue: UsdcNumber,
  portfolioValue: UsdcNumber,
  /** After fees. */
  totalPnl: UsdcNumber,
  /** Before fees; null in live mode, where the venue reports only the total. */
  realizedPnl: UsdcNumber.nullable(),
  /** Before fees. */
  unrealizedPnl: UsdcNumber,
  fees: UsdcNumber.nullable(),
  /** Deposits since the account's epoch began; null in live mode, where they are unknown. */
  netDeposits: UsdcNumber.nullable(),
  openOrders: z.int(),
  /** How many of them wait for approval, and so are in no book. */
  waitingOrders: z.int(),
  /** How many of them are buys, which reserve cash. Sells reserve shares. */
  openBuys: z.int(),
});
