import { z } from "zod";
import { Balance } from "@/lib/schemas/account";
import { UsdcNumber } from "@/lib/schemas/units";

/** The wallet page's data: the API's balance and figures derived from it. */
export const Wallet = Balance.extend({
  availableUsdc: UsdcNumber,
  reservedUsdc: UsdcNumber,
  allowanceState: z.enum(["unknown", "none", "unlimited", "enough", "short"]),
  /** In USDC; null if it is unknown or too large for a figure. */
  allowanceUsdc: UsdcNumber.nullable(),
  /** The number of the paper account's current epoch. Each reset starts a new one. */
  epoch: z.int(),
  openOrders: z.int(),
});
