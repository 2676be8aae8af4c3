import { z } from "zod";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** An order that waits for its owner's approval. */
export const WaitingOrder = z.strictObject({
  line: OrderLine,
  /** The key that placed it; null if it is gone. */
  key: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  /** Until when it can be approved. */
  until: Instant,
  /** The most that it can cost, with its fee; 0 for a sell. */
  mostUsdc: UsdcNumber,
});

/** The execution of an order that waits, if it was approved now. */
export const ApprovalPreview = z.strictObject({
  /** Why it can't be approved now, or null. */
  refusal: z.string().nullable(),
  /** The price at which its first share would fill; null without a quote. */
  marketPrice: PriceNumber.nullable(),
  filledShares: SharesNumber,
  avgPrice: PriceNumber.nullable(),
  /** The price of the worst fill; null if nothing would fill. */
  worstPrice: PriceNumber.nullable(),
  restingShares: SharesNumber,
  fee: UsdcNumber,
  /** For a buy, the amount with the fee; for a sell, what is left after it. */
  total: UsdcNumber,
  /** What the shares that stay open reserve of the cash; 0 for a sell. */
  reserved: UsdcNumber,
});
