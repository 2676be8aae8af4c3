import { z } from "zod";
import { ORDER_EVENT_TYPES, ORDER_ORIGINS, ORDER_STATUSES } from "@/lib/domain/order-status";
import { TIMES_IN_FORCE } from "@/lib/domain/time-in-force";
import {
  AmountInput,
  Instant,
  InstantInput,
  PriceInput,
  PriceNumber,
  SharesInput,
  SharesNumber,
  UsdcNumber,
} from "@/lib/schemas/units";

const MAX_KEY_LENGTH = 128;

/** Code points, not UTF-16 units: an emoji counts once. */
export const IdempotencyKey = z
  .string()
  .refine((key) => key.length > 0 && [...key].length <= MAX_KEY_LENGTH, {
    message: `must have 1 to ${MAX_KEY_LENGTH} characters`,
  })
  .meta({ minLength: 1, maxLength: MAX_KEY_LENGTH });

const Action = z.enum(["BUY", "SELL"]);
const Side = z.enum(["YES", "NO"]);
const OrderType = z.enum(["limit", "market"]);
const TimeInForce = z.enum(TIMES_IN_FORCE);
export const OrderStatus = z.enum(ORDER_STATUSES);

/** Unknown properties are ignored. */
export const PlaceOrderBody = z
  .object({
    tokenId: z.string().min(1).describe("The outcome to trade: an outcomes[].tokenId of a market."),
    action: Action.describe("Buy or sell shares of the outcome."),
    orderType: z
      .enum(["market", "limit"])
      .describe(
        "A market order fills now, by default as far as possible; a limit order can stay open.",
      ),
    amount: AmountInput.optional().describe(
      "USDC to spend: market BUY, or limit BUY instead of shares.",
    ),
    shares: SharesInput.optional().describe("Shares to trade, 2 decimals."),
    price: PriceInput.optional().describe(
      "Limit price, or the worst acceptable price of a market order.",
    ),
    tickSize: z
      .string()
      .min(1)
      .optional()
      .describe("The market's tick as the caller knows it; the order is rejected if it differs."),
    idempotencyKey: IdempotencyKey.optional().describe(
      "Identifies the order: it is placed at most once, however often the same key is sent.",
    ),
    timeInForce: TimeInForce.optional().meta({
      description:
        "GTC (default of a limit order): open until canceled. GTD: open until expiresAt. FAK " +
        "(default of a market order): fill what is possible at once and cancel the rest. FOK: fill " +
        "in full at once or not at all. A market order is FAK or FOK",
    }),
    expiresAt: InstantInput.optional().describe(
      "When a GTD order expires; required with GTD and rejected otherwise.",
    ),
    postOnly: z
      .boolean()
      .optional()
      .describe("True: the order is rejected instead of filling at once; for GTC and GTD."),
  })
  .meta({ id: "PlaceOrder" });
export type PlaceOrderBody = z.output<typeof PlaceOrderBody>;

export const Acknowledgement = z
  .strictObject({
    idempotencyKey: z
      .string()
      .describe("The key that was sent, or the one that the service created."),
    message: z.string().describe("What happened, as a sentence for users."),
    orderId: z.string().describe("The order's id."),
    status: OrderStatus.describe("The order's state at the time of the response."),
    approvalUrl: z
      .string()
      .optional()
      .describe(
        "With status pending_approval: the page where the owner approves or declines the order within 15 minutes.",
      ),
  })
  .meta({ id: "Acknowledgement" });

export const OpenOrder = z
  .strictObject({
    id: z.string().describe("The order's id."),
    marketId: z.string().describe("The market's condition id."),
    assetId: z.string().describe("The outcome's token id."),
    marketTitle: z.string().nullable().describe("The market's question, or null."),
    marketSlug: z.string().nullable().describe("The market's name in addresses, or null."),
    marketRoute: z.string().nullable().describe("The market's page in the dashboard, or null."),
    iconUrl: z.string().nullable().describe("The market's icon, or null."),
    action: Action.describe("Buy or sell."),
    side: Side.describe("YES for the market's first outcome, NO for its second."),
    type: OrderType.describe("Limit or market."),
    price: PriceNumber.nullable().describe("The limit price in USDC, or null."),
    shares: SharesNumber.describe("Size of the order; for an amount, 0 until it fills."),
    createdAt: Instant.describe("When the order was received."),
    status: z.literal("open").describe("Always open."),
  })
  .meta({ id: "OpenOrder" });

export const OpenOrders = z
  .strictObject({
    orders: z.array(OpenOrder).describe("Open orders, newest first."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "OpenOrders" });

const OrderFill = z.strictObject({
  id: z.string().describe("The fill's id."),
  tradeId: z.string().describe("The trade that it is part of."),
  role: z
    .enum(["maker", "taker"])
    .describe("A taker fills at once, a maker was waiting on the book."),
  price: PriceNumber.describe("Price in USDC per share."),
  shares: SharesNumber.describe("Shares that traded."),
  amount: UsdcNumber.describe("Price times shares, without the fee."),
  fee: UsdcNumber.describe("The fee in USDC."),
  createdAt: Instant.describe("When it traded."),
});

const OrderEvent = z.strictObject({
  type: z.enum(ORDER_EVENT_TYPES).describe("What happened to the order."),
  keyId: z.string().nullable().describe("The API key that caused it, or null."),
  detail: z.record(z.string(), z.string()).describe("Facts about the event, by name."),
  createdAt: Instant.describe("When it happened."),
});

export const OrderRecord = z
  .strictObject({
    userId: z.string().describe("The order's owner."),
    address: z.string().describe("The wallet that signs the orders."),
    funder_address: z.string().describe("The wallet that holds the money."),
    id: z.string().describe("The order's id."),
    status: OrderStatus.describe("The order's state."),
    action: Action.describe("Buy or sell."),
    side: Side.describe("YES for the market's first outcome, NO for its second."),
    type: OrderType.describe("Limit or market."),
    tokenId: z.string().describe("The outcome's token id."),
    marketId: z.string().describe("The market's condition id."),
    price: PriceNumber.nullable().describe(
      "The limit, or the worst acceptable price, in USDC; null when none was given.",
    ),
    shares: SharesNumber.nullable().describe(
      "Shares that were ordered; null for an order by amount.",
    ),
    amount: UsdcNumber.nullable().describe("USDC to spend; null for an order by shares."),
    timeInForce: TimeInForce.describe("How long the order can fill: GTC, GTD, FAK or FOK."),
    expiresAt: Instant.nullable().describe("When a GTD order expires."),
    postOnly: z.boolean().describe("True for an order that never fills as a taker."),
    filledShares: SharesNumber.describe("Shares that have filled."),
    remainingShares: SharesNumber.nullable().describe(
      "Shares that can still fill; null for an order by amount.",
    ),
    avgFillPrice: PriceNumber.nullable().describe(
      "Average price of the fills, without fees; null before the first.",
    ),
    fee: UsdcNumber.describe("Fees of all fills, in USDC."),
    origin: z
      .enum(ORDER_ORIGINS)
      .describe("`external`: placed elsewhere with the same wallet, and adopted here."),
    idempotencyKey: z.string().nullable().describe("The order's idempotency key."),
    createdAt: Instant.describe("When the order was received."),
    updatedAt: Instant.describe("When the order last changed."),
    fills: z.array(OrderFill).describe("The order's fills, oldest first."),
    events: z.array(OrderEvent).describe("The order's history, oldest first."),
  })
  .meta({ id: "OrderRecord" });

/** A record without its events, for lists. */
export const OrderSummary = OrderRecord.omit({ fills: true, events: true }).meta({
  id: "OrderSummary",
});

export const OrderList = z
  .strictObject({
    orders: z.array(OrderSummary).describe("Orders, newest first."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "OrderList" });

export const CancelOutcomes = z
  .strictObject({
    canceled: z.array(z.string()).describe("Ids of the orders that are canceled."),
    notCanceled: z
      .array(
        z.strictObject({
          id: z.string().describe("The order's id."),
          status: OrderStatus.describe(
            "The order's actual state. A live order that is still open is being canceled.",
          ),
        }),
      )
      .describe("Orders that are not canceled."),
  })
  .meta({ id: "CancelOutcomes" });

const Refusal = z.strictObject({
  code: z.string().describe("The error code that placing would return."),
  message: z.string().describe("The reason, as a sentence for users."),
});

export const OrderPreview = z
  .strictObject({
    refusal: Refusal.nullable().describe("Why the order would be rejected, or null."),
    avgPrice: PriceNumber.nullable().describe("Average price of what would fill now, or null."),
    worstPrice: PriceNumber.nullable().describe("Worst price that would fill."),
    limitPrice: PriceNumber.nullable().describe("Worst price that can fill."),
    shares: SharesNumber.describe("Shares that would fill now."),
    restingShares: SharesNumber.describe("Shares that would stay open."),
    amount: UsdcNumber.describe("Paid or received for the fills, without the fee."),
    fee: UsdcNumber.describe("Taker fee in USDC of what would fill now."),
    builderFee: UsdcNumber.optional().describe(
      "The part of the fee that the operator of this service gets; missing if there is none.",
    ),
    cost: UsdcNumber.describe("BUY: amount and fee; SELL: amount less fee."),
    needsApproval: z
      .boolean()
      .describe("True if the order would wait for the owner's approval (limit approvalAbove)."),
    holdUsdc: UsdcNumber.meta({
      description:
        "USDC that must be available: the whole order at its limit and the highest fee of what fills " +
        "at once (live: of the whole order)",
    }),
    holdShares: SharesNumber.describe("Shares that must be available."),
    availableUsdc: UsdcNumber.describe("USDC that no order reserves."),
    availableShares: SharesNumber.describe("Shares of this outcome that no order reserves."),
    timeInForce: TimeInForce.describe("How long the order can fill: GTC, GTD, FAK or FOK."),
    expiresAt: Instant.nullable().describe("When a GTD order expires, or null."),
    postOnly: z.boolean().describe("True for an order that never fills as a taker."),
  })
  .meta({ id: "OrderPreview" });

export const Fill = z
  .strictObject({
    id: z.string().describe("The fill's id."),
    tradeId: z.string().describe("The trade that it is part of."),
    orderId: z.string().describe("The order that filled."),
    marketId: z.string().describe("The market's condition id."),
    tokenId: z.string().describe("The outcome's token id."),
    action: Action.describe("Bought or sold."),
    role: z
      .enum(["maker", "taker"])
      .describe("A taker fills at once, a maker was waiting on the book."),
    price: PriceNumber.describe("Price in USDC per share."),
    shares: SharesNumber.describe("Shares that traded."),
    amount: UsdcNumber.describe("Price times shares in USDC, without the fee."),
    fee: UsdcNumber.describe("The fee in USDC."),
    createdAt: Instant.describe("When it traded."),
  })
  .meta({ id: "Fill" });

export const FillList = z
  .strictObject({
    fills: z.array(Fill).describe("Fills, newest first."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "FillList" });
