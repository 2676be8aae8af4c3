import { z } from "zod";
import { OrderRecord } from "@/lib/schemas/orders";
import { SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** An order as the dashboard lists it, open or closed: with its market's words. */
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
    filledShares: true,
    avgFillPrice: true,
    fee: true,
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
  /** What its fills cost or brought, without the fee. */
  value: UsdcNumber,
  /** It still stands at the exchange, so it can be canceled. */
  isLive: z.boolean(),
});

/** What canceling would set free. */
export const OrderTotals = z.strictObject({
  count: z.int(),
  /** USDC that the buys still wait to spend, at their limits. */
  buys: UsdcNumber,
  /** Shares that the sells still wait to sell. */
  sells: SharesNumber,
});

export const OpenOrderBoard = z.strictObject({
  orders: z.array(OrderLine),
  /** Of all live orders, or of those in the market that was asked for. */
  totals: OrderTotals,
  /** Markets with live orders, to choose from. */
  markets: z.array(z.strictObject({ id: z.string(), title: z.string() })),
});

export const ClosedOrderPage = z.strictObject({
  orders: z.array(OrderLine),
  nextCursor: z.string().nullable(),
});
