import { z } from "zod";
import { Balance } from "@/lib/schemas/account";
import { UsdcNumber } from "@/lib/schemas/units";

/** What the wallet page shows: the interface's balance, and what follows from it. */
export const Wallet = Balance.extend({
  availableUsdc: UsdcNumber,
  reservedUsdc: UsdcNumber,
  allowanceState: z.enum(["unknown", "none", "unlimited", "enough", "short"]),
  /** In USDC; null where it is unknown or beyond every figure. */
  allowanceUsdc: UsdcNumber.nullable(),
  /** Counts up with every reset of the paper account. */
  epoch: z.int(),
  openOrders: z.int(),
});
