import type { components, operations } from "./generated.ts";

type Schemas = components["schemas"];
type OperationId = keyof operations;

/** The query parameters of an operation. */
type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Given } }
  ? NonNullable<Given>
  : never;

export type Balance = Schemas["Balance"];
export type Portfolio = Schemas["Portfolio"];
export type Position = Schemas["Position"];
export type ClaimResult = Schemas["ClaimResult"];
export type WalletTransaction = Schemas["WalletTransaction"];
export type WalletApprovals = Schemas["WalletApprovals"];
export type KeyWithLimits = Schemas["KeyWithLimits"];
export type LowerLimits = Schemas["LowerLimits"];
export type FrozenKey = Schemas["FrozenKey"];
/** An order to place. The client makes its idempotency key. */
export type OrderRequest = Omit<Schemas["PlaceOrder"], "idempotencyKey">;
/** Shares to split or merge. The client makes the idempotency key. */
export type PairsRequest = Omit<Schemas["SplitOrMergeBody"], "idempotencyKey">;
export type Acknowledgement = Schemas["Acknowledgement"];
export type OrderPreview = Schemas["OrderPreview"];
export type OpenOrder = Schemas["OpenOrder"];
export type OpenOrderPage = Schemas["OpenOrders"];
export type OrderSummary = Schemas["OrderSummary"];
export type OrderPage = Schemas["OrderList"];
export type Order = Schemas["OrderRecord"];
export type OrderStatus = Order["status"];
export type CancelOutcomes = Schemas["CancelOutcomes"];
export type Market = Schemas["Market"];
export type MarketPage = Schemas["MarketList"];
export type MarketDetail = Schemas["MarketDetail"];
export type OrderBook = Schemas["OrderBook"];
export type PriceHistory = Schemas["PriceHistory"];
export type AccountEvent = Schemas["AccountEvent"];
export type EventType = AccountEvent["type"];
export type EventPage = Schemas["EventList"];
export type EndpointTest = Schemas["EndpointTest"];
export type Webhook = Schemas["Webhook"];
export type WebhookWithSecret = Schemas["WebhookWithSecret"];
export type CreateWebhook = Schemas["CreateWebhook"];
export type ChangeWebhook = Schemas["ChangeWebhook"];
export type WebhookTest = Schemas["WebhookTest"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookDeliveryPage = Schemas["WebhookDeliveryList"];
export type WebhookReplay = Schemas["WebhookReplay"];
export type Fill = Schemas["Fill"];
export type FillPage = Schemas["FillList"];
export type ActivityLine = Schemas["ActivityLine"];
export type ActivityPage = Schemas["ActivityList"];
export type Health = Schemas["Health"];
/** The codes that this version knows. New ones can be added. */
export type ErrorCode = Schemas["Failure"]["error"]["code"];

export type MarketQuery = Query<"listMarkets">;
export type HistoryQuery = Query<"getHistory">;
export type OrderQuery = Query<"listOrders">;
export type OpenOrderQuery = Omit<Query<"listOpenOrders">, "onlyFirstPage">;
export type FillQuery = Query<"listFills">;
export type ActivityQuery = Query<"listActivity">;
export type DeliveryQuery = Query<"listDeliveries">;
export type EventQuery = Query<"listEvents">;

/** A fault that a paper key can ask for, to test a program: see `simulate` of `orders.place`. */
export type SimulatedFault = "lost-answer" | "timeout" | "unavailable" | "slow" | "delayed";
