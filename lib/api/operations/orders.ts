import "server-only";
import { z } from "zod";
import { listSampleHistory, SAMPLE_IDS } from "@/lib/api/operations/examples";
import {
  NO_INPUT,
  type Operation,
  type OrderBody,
  VENUE_ERRORS,
} from "@/lib/api/operations/operation";
import {
  Acknowledgement,
  CancelOutcomes,
  IdempotencyKey,
  OpenOrders,
  OrderList,
  OrderPreview,
  OrderRecord,
  OrderStatus,
  PlaceOrderBody,
} from "@/lib/schemas/orders";
import {
  AssetFilter,
  Cursor,
  InstantText,
  Limit,
  MarketFilter,
  OrderId,
  QueryText,
} from "@/lib/schemas/parameters";

const BODY_DESCRIPTION =
  "A market BUY needs amount or shares. A market SELL needs shares. A limit order needs price and " +
  "shares; a limit BUY can give amount instead of shares. The price of a market order is the worst " +
  "acceptable one. Unknown properties are ignored, except order options of other exchanges.";

/** Faults in the fields of an order, independent of account and book. */
const FIELD_ERRORS = [
  "PRICE_REQUIRED",
  "AMOUNT_OR_SHARES_REQUIRED",
  "CONFLICTING_FIELDS",
  "INVALID_TICK_SIZE",
  "PRICE_OFF_TICK",
  "ORDER_TOO_SMALL",
  "PRECISION_TOO_HIGH",
  "MARKET_NOT_FOUND",
] as const;

const LIMIT_BUY: OrderBody = {
  tokenId: SAMPLE_IDS.positionId,
  action: "BUY",
  orderType: "limit",
  price: 0.62,
  shares: 100,
  idempotencyKey: "frost-0001",
};
const MARKET_BUY: OrderBody = {
  tokenId: SAMPLE_IDS.positionId,
  action: "BUY",
  orderType: "market",
  amount: 25,
  idempotencyKey: "frost-0002",
};
const MARKET_SELL: OrderBody = {
  tokenId: SAMPLE_IDS.positionId,
  action: "SELL",
  orderType: "market",
  shares: 40,
  idempotencyKey: "frost-0003",
};

export const placeOrder = {
  method: "POST",
  path: "/v1/orders",
  access: "trade",
  rate: "write",
  isInContract: true,
  group: "Orders",
  title: "Place an order",
  summary: "Place an order exactly once",
  description:
    "The idempotency key makes a retry safe.\n" +
    "- 200: the order is recorded and accepted.\n" +
    "- 502, or no response: send the same body with the same `idempotencyKey` again.\n" +
    "- You can send the key as the header `Idempotency-Key`. If you send both, they must have the " +
    "same value.\n" +
    "- Unsupported options return 400: `reduceOnly`, `dryRun`, `expiration`, `clientOrderId`, " +
    "`stopPrice`, `leverage` and the like. So does a body that has a property twice.\n" +
    "- An order above the key's limit `approvalAbove` returns the status `pending_approval`. It " +
    "waits up to 15 minutes for its owner, at `approvalUrl`.\n" +
    "- With a live key, a `BUY` with `FOK` takes `amount` only, and `expiresAt` is at least 125 " +
    "seconds ahead, in whole seconds.",
  ...NO_INPUT,
  body: PlaceOrderBody,
  bodyDescription: BODY_DESCRIPTION,
  response: Acknowledgement,
  errors: [
    ...FIELD_ERRORS,
    "IDEMPOTENCY_KEY_REUSED",
    "ORDER_ABANDONED",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_SHARES",
    "INSUFFICIENT_ALLOWANCE",
    "MARKET_CLOSED",
    "NO_LIQUIDITY",
    "ORDER_NOT_FILLED",
    "ORDER_REJECTED",
    "TRADING_RESTRICTED",
    "RISK_LIMIT_EXCEEDED",
    "TRADING_FROZEN",
    "SESSION_KEY_EXPIRED",
    "WALLET_NOT_FOUND",
    "ORDER_OUTCOME_UNKNOWN",
    "ORDER_IN_PROGRESS",
    "SIGNER_UNAVAILABLE",
    ...VENUE_ERRORS,
  ],
  exampleBodies: { "limit buy": LIMIT_BUY, "market buy": MARKET_BUY, "market sell": MARKET_SELL },
} as const satisfies Operation;

export const previewOrder = {
  method: "POST",
  path: "/v1/orders/preview",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Orders",
  title: "Preview an order",
  summary: "Show what an order would do now, without placing it",
  description:
    "Takes the body of an order and says what it would do now: average price, fee, cost and what " +
    "would rest. Nothing is placed or reserved. What the account or the book would refuse comes " +
    "back in refusal, with status 200.",
  ...NO_INPUT,
  body: PlaceOrderBody,
  bodyDescription: BODY_DESCRIPTION,
  response: OrderPreview,
  errors: [...FIELD_ERRORS, "MARKET_CLOSED", "WALLET_NOT_FOUND", ...VENUE_ERRORS],
  exampleBodies: { "limit buy": LIMIT_BUY, "market buy": MARKET_BUY },
} as const satisfies Operation;

export const listOpenOrders = {
  method: "GET",
  path: "/v1/orders/open",
  access: "read",
  rate: "read",
  isInContract: true,
  group: "Orders",
  title: "Open orders",
  summary: "List the open orders, newest first",
  description:
    "Orders that stand on the book. Without onlyFirstPage=true everything from the cursor on is " +
    "listed, up to 1,000 orders.",
  ...NO_INPUT,
  query: z.object({
    id: QueryText.optional().describe("Only the order with this id."),
    market: MarketFilter,
    assetId: AssetFilter,
    onlyFirstPage: z
      .enum(["true", "false"])
      .optional()
      .describe("true: one page of 100. false, the default: up to 1,000 orders."),
    nextCursor: Cursor,
  }),
  response: OpenOrders,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
  age: "comparison",
  exampleQuery: { onlyFirstPage: "true" },
} as const satisfies Operation;

export const listOrders = {
  method: "GET",
  path: "/v1/orders",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Orders",
  title: "All orders",
  summary: "List orders in every state, newest first",
  description:
    "Every order the account ever placed, refused ones included. idempotencyKey finds the one " +
    "order of a key. Unknown query names are refused.",
  ...NO_INPUT,
  query: z.object({
    status: OrderStatus.optional().describe("Only orders in this state."),
    market: MarketFilter,
    assetId: AssetFilter,
    idempotencyKey: IdempotencyKey.optional().describe(
      "Only the order that was placed with this key.",
    ),
    action: z.enum(["BUY", "SELL"]).optional().describe("Only buys, or only sells."),
    from: InstantText.describe("Only orders received at or after this instant."),
    to: InstantText.describe("Only orders received before this instant."),
    limit: Limit,
    nextCursor: Cursor,
  }),
  response: OrderList,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
  age: "comparison",
  exampleQuery: { status: "filled", limit: "20" },
} as const satisfies Operation;

export const getOrder = {
  method: "GET",
  path: "/v1/orders/{orderId}",
  access: "read",
  rate: "read",
  isInContract: true,
  group: "Orders",
  title: "One order",
  summary: "Get one order, in any state",
  description:
    "The order's record with its fills and its events, for every order ever placed. This is how " +
    "a program learns what became of an order.",
  ...NO_INPUT,
  params: z.object({ orderId: OrderId }),
  response: OrderRecord,
  errors: ["ORDER_NOT_FOUND", ...VENUE_ERRORS],
  age: "comparison",
} as const satisfies Operation;

export const cancelOrder = {
  method: "DELETE",
  path: "/v1/orders/{orderId}",
  access: "cancel",
  rate: "write",
  isInContract: true,
  group: "Orders",
  title: "Cancel an order",
  summary: "Cancel one order and release its reserved funds",
  description:
    "Cancels what has not filled and releases what it reserved. Canceling twice returns the same " +
    "record; an order that filled first cannot be canceled.",
  ...NO_INPUT,
  params: z.object({ orderId: OrderId }),
  response: OrderRecord,
  errors: [
    "ORDER_NOT_FOUND",
    "ORDER_NOT_CANCELABLE",
    "RISK_LIMIT_EXCEEDED",
    "CANCEL_OUTCOME_UNKNOWN",
    ...VENUE_ERRORS,
  ],
  exampleValues: {
    "OrderRecord.status": "canceled",
    filledShares: 0,
    remainingShares: 100,
    avgFillPrice: null,
    fee: 0,
    "OrderRecord.fills": [],
    "OrderRecord.events": listSampleHistory("canceled"),
  },
} as const satisfies Operation;

export const cancelOrders = {
  method: "DELETE",
  path: "/v1/orders",
  access: "cancel",
  rate: "write",
  isInContract: false,
  group: "Orders",
  title: "Cancel all orders",
  summary: "Cancel all open orders, or those of one market",
  description:
    "Cancels all open orders at once, or those of one market, and says which ones could not be " +
    "canceled. Unknown query names and bodies are refused; an unknown market cancels nothing. With " +
    "a live key the response comes within five seconds: a live order in notCanceled that is still " +
    "open, unknown or submitting is recorded to be canceled, and the service goes on until it is.",
  ...NO_INPUT,
  query: z.object({ market: MarketFilter }),
  response: CancelOutcomes,
  errors: ["MARKET_NOT_FOUND", "RISK_LIMIT_EXCEEDED", "CANCEL_OUTCOME_UNKNOWN", ...VENUE_ERRORS],
} as const satisfies Operation;
