import { z } from "zod";
import { ORDER_EVENT_TYPES } from "@/lib/domain/order-events";
import { ORDER_STATUSES } from "@/lib/domain/order-status";
import {
  AmountInput,
  Instant,
  PriceInput,
  PriceNumber,
  SharesInput,
  SharesNumber,
  UsdcNumber,
} from "@/lib/schemas/units";

const MAX_KEY_LENGTH = 128;

/** Code points, not UTF-16 units: an emoji counts once. */
const IdempotencyKey = z
  .string()
  .refine((key) => key.length > 0 && [...key].length <= MAX_KEY_LENGTH, {
    message: `must have 1 to ${MAX_KEY_LENGTH} characters`,
  })
  .meta({ minLength: 1, maxLength: MAX_KEY_LENGTH });

const Action = z.enum(["BUY", "SELL"]);
const Side = z.enum(["YES", "NO"]);
const OrderType = z.enum(["limit", "market"]);
export const OrderStatus = z.enum(ORDER_STATUSES);

/** Unknown properties are ignored, as the interface does not forbid them. */
export const PlaceOrderBody = z
  .object({
    tokenId: z.string().min(1),
    action: Action,
    orderType: z.enum(["market", "limit"]),
    amount: AmountInput.optional().meta({
      description: "USDC to spend: market BUY, or limit BUY instead of shares",
    }),
    shares: SharesInput.optional().meta({ description: "shares to trade, 2 decimals" }),
    price: PriceInput.optional().meta({
      description: "limit price, or the worst acceptable price of a market order",
    }),
    tickSize: z.string().min(1).optional().meta({
      description: "the market's tick as the caller knows it; refused when it differs",
    }),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .meta({ id: "PlaceOrder" });
export type PlaceOrderBody = z.output<typeof PlaceOrderBody>;

export const Acknowledgement = z
  .strictObject({
    idempotencyKey: z.string(),
    message: z.string(),
    orderId: z.string(),
    status: OrderStatus,
  })
  .meta({ id: "Acknowledgement" });

export const OpenOrder = z
  .strictObject({
    id: z.string(),
    marketId: z.string(),
    assetId: z.string(),
    marketTitle: z.string().nullable(),
    marketSlug: z.string().nullable(),
    marketRoute: z.string().nullable(),
    iconUrl: z.string().nullable(),
    action: Action,
    side: Side,
    type: OrderType,
    price: PriceNumber.nullable(),
    shares: SharesNumber.meta({
      description: "size of the order; for an amount, 0 until it fills",
    }),
    createdAt: Instant,
    status: z.literal("open"),
  })
  .meta({ id: "OpenOrder" });

export const OpenOrders = z
  .strictObject({ orders: z.array(OpenOrder), nextCursor: z.string().nullable() })
  .meta({ id: "OpenOrders" });

const OrderFill = z.strictObject({
  id: z.string(),
  tradeId: z.string(),
  role: z.enum(["maker", "taker"]),
  price: PriceNumber,
  shares: SharesNumber,
  amount: UsdcNumber.meta({ description: "price times shares, without the fee" }),
  fee: UsdcNumber,
  createdAt: Instant,
});

const OrderEvent = z.strictObject({
  type: z.enum(ORDER_EVENT_TYPES),
  keyId: z.string().nullable(),
  detail: z.record(z.string(), z.string()),
  createdAt: Instant,
});

export const OrderRecord = z
  .strictObject({
    userId: z.string(),
    address: z.string(),
    funder_address: z.string(),
    id: z.string(),
    status: OrderStatus,
    action: Action,
    side: Side,
    type: OrderType,
    tokenId: z.string(),
    marketId: z.string(),
    price: PriceNumber.nullable(),
    shares: SharesNumber.nullable(),
    amount: UsdcNumber.nullable(),
    filledShares: SharesNumber,
    remainingShares: SharesNumber.nullable(),
    avgFillPrice: PriceNumber.nullable(),
    fee: UsdcNumber,
    idempotencyKey: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
    fills: z.array(OrderFill),
    events: z.array(OrderEvent),
  })
  .meta({ id: "OrderRecord" });

/** A record without its biography, for lists. */
export const OrderSummary = OrderRecord.omit({ fills: true, events: true }).meta({
  id: "OrderSummary",
});

export const OrderList = z
  .strictObject({ orders: z.array(OrderSummary), nextCursor: z.string().nullable() })
  .meta({ id: "OrderList" });

export const CancelOutcomes = z
  .strictObject({
    canceled: z.array(z.string()),
    notCanceled: z.array(z.strictObject({ id: z.string(), status: OrderStatus })),
  })
  .meta({ id: "CancelOutcomes" });

const Refusal = z.strictObject({ code: z.string(), message: z.string() });

export const OrderPreview = z
  .strictObject({
    refusal: Refusal.nullable().meta({ description: "why the order would be refused, or null" }),
    avgPrice: PriceNumber.nullable(),
    worstPrice: PriceNumber.nullable().meta({ description: "worst price that would fill" }),
    limitPrice: PriceNumber.nullable().meta({ description: "worst price that may fill" }),
    shares: SharesNumber.meta({ description: "shares that would fill now" }),
    restingShares: SharesNumber,
    amount: UsdcNumber.meta({ description: "paid or received for the fills, without the fee" }),
    fee: UsdcNumber,
    cost: UsdcNumber.meta({ description: "BUY: amount and fee; SELL: amount less fee" }),
    holdUsdc: UsdcNumber.meta({ description: "USDC that must be available" }),
    holdShares: SharesNumber.meta({ description: "shares that must be available" }),
    availableUsdc: UsdcNumber,
    availableShares: SharesNumber,
  })
  .meta({ id: "OrderPreview" });

export const Fill = z
  .strictObject({
    id: z.string(),
    tradeId: z.string(),
    orderId: z.string(),
    marketId: z.string(),
    tokenId: z.string(),
    action: Action,
    role: z.enum(["maker", "taker"]),
    price: PriceNumber,
    shares: SharesNumber,
    amount: UsdcNumber,
    fee: UsdcNumber,
    createdAt: Instant,
  })
  .meta({ id: "Fill" });

export const FillList = z
  .strictObject({ fills: z.array(Fill), nextCursor: z.string().nullable() })
  .meta({ id: "FillList" });
