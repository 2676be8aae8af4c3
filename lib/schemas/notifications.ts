import { z } from "zod";
import { ALL_KINDS } from "@/lib/domain/notifications";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** An event of an account's log in words. Amounts are apart from them, because users can hide amounts. */
const Notification = z.strictObject({
  /** The number of the event; of the newest one if equal fills are joined. */
  seq: z.int(),
  kind: z.enum(ALL_KINDS),
  title: z.string(),
  /** What it is about, such as the market. */
  text: z.string(),
  /** The path of its order, position or market. */
  href: z.string(),
  /** Why an order was rejected, as a sentence, which can contain amounts. */
  reason: z.string().nullable(),
  /** The traded shares, or the ordered ones if nothing traded. */
  shares: SharesNumber.nullable(),
  /** The size of an order that traded in part: in shares, or for a market buy in USDC. */
  ordered: z
    .strictObject({ shares: SharesNumber.nullable(), usdc: UsdcNumber.nullable() })
    .nullable(),
  /** The average price of what was traded, or the limit of the order; null for joined fills. */
  price: PriceNumber.nullable(),
  tickSize: z.string().nullable(),
  /** The money paid or received for the trade, with the fee. */
  total: z.strictObject({ usdc: UsdcNumber, isPaid: z.boolean() }).nullable(),
  /** What was won. */
  usdc: UsdcNumber.nullable(),
  /** The position that a claim would pay; null if there is nothing to claim. */
  claim: z.strictObject({ positionId: z.string(), outcome: z.string() }).nullable(),
  createdAt: Instant,
  isUnread: z.boolean(),
});
export type Notification = z.output<typeof Notification>;

export const NotificationList = z.strictObject({
  /** Newest first. */
  notifications: z.array(Notification),
});
export type NotificationList = z.output<typeof NotificationList>;

export const UnreadCount = z.strictObject({ unread: z.int() });
