import { z } from "zod";
import { OrderRecord } from "@/lib/schemas/orders";
import { SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** An open or closed order in the dashboard's lists, with its market's title. */
export const OrderLine = z.strictObject({
  ...OrderRecord.pick({
    id: true,
    status: true,
    action: true,
    side: true,
    type: true,
    marketId: true,
    price: true,
    shares: true,
    amount: true,
    timeInForce: true,
    expiresAt: true,
    postOnly: true,
    filledShares: true,
    avgFillPrice: true,
    fee: true,
    origin: true,
    createdAt: true,
    updatedAt: true,
  }).shape,
  marketTitle: z.string(),
  marketSlug: z.string(),
  iconUrl: z.string(),
  /** The outcome's name: Yes, or a team's. */
  outcome: z.string(),
  tickSize: z.string(),
  /** Price times shares, or the amount to spend; null for a sell at any price. */
  total: UsdcNumber.nullable(),
  /** Filled value, without the fee. */
  value: UsdcNumber,
  /** Whether the order is still at the exchange and can be canceled. */
  isLive: z.boolean(),
});

/** The funds that canceling would release. */
export const OrderTotals = z.strictObject({
  count: z.int(),
  /** The unfilled value of the buys at their limits. */
  buys: UsdcNumber,
  /** The unfilled shares of the sells. */
  sells: SharesNumber,
});

export const OpenOrdersView = z.strictObject({
  orders: z.array(OrderLine),
  /** Totals of all open orders, or of those in the filtered market. */
  totals: OrderTotals,
  /** Markets with open orders, for the filter. */
  markets: z.array(z.strictObject({ id: z.string(), title: z.string() })),
});

export const OrderHistoryPage = z.strictObject({
  orders: z.array(OrderLine),
  nextCursor: z.string().nullable(),
});
