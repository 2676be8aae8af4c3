import { z } from "zod";
import type { OperationId } from "@/lib/http/routes";
import {
  ActivityList,
  ApiKey,
  Balance,
  Health,
  Portfolio,
  Redemption,
} from "@/lib/schemas/account";
import {
  MarketDetail,
  MarketList,
  MarketStatus,
  OrderBook,
  PriceHistory,
} from "@/lib/schemas/markets";
import {
  Acknowledgement,
  CancelOutcomes,
  FillList,
  OpenOrders,
  OrderList,
  OrderPreview,
  OrderRecord,
  OrderStatus,
  PlaceOrderBody,
} from "@/lib/schemas/orders";

const Id = z.string().min(1);
const Cursor = Id.optional().meta({ description: "nextCursor of the page before" });
const Limit = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, "must be a whole number from 1 to 1000")
  .transform(Number)
  .refine((limit) => limit <= 1000, "must be a whole number from 1 to 1000")
  .optional()
  .meta({ description: "rows per page, at most 1000; default 100" });
const InstantText = z.iso
  .datetime({ error: "must be an ISO instant such as 2026-11-21T12:00:00Z" })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1, "must not be before the year 1")
  .optional();

const None = z.object({});

interface Operation {
  summary: string;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType | null;
  response: z.ZodType;
}

/** Request and response shapes of every route: they validate, type, encode and document. */
export const OPERATIONS = {
  getHealth: {
    summary: "Is the service reachable?",
    params: None,
    query: None,
    body: null,
    response: Health,
  },
  getBalance: {
    summary: "Addresses, allowance and USDC balance",
    params: None,
    query: None,
    body: null,
    response: Balance,
  },
  listPositions: {
    summary: "Portfolio value, profit and loss, positions",
    params: None,
    query: None,
    body: null,
    response: Portfolio,
  },
  redeemPosition: {
    summary: "Claim a position of a resolved market",
    params: z.object({ positionId: Id }),
    query: None,
    body: null,
    response: Redemption,
  },
  placeOrder: {
    summary: "Place an order, once",
    params: None,
    query: None,
    body: PlaceOrderBody,
    response: Acknowledgement,
  },
  listOrders: {
    summary: "Orders in every state, newest first",
    params: None,
    query: z.object({
      status: OrderStatus.optional(),
      market: Id.optional(),
      assetId: Id.optional(),
      action: z.enum(["BUY", "SELL"]).optional(),
      from: InstantText,
      to: InstantText,
      limit: Limit,
      nextCursor: Cursor,
    }),
    body: null,
    response: OrderList,
  },
  cancelOrders: {
    summary: "Cancel all open orders, or those of one market",
    params: None,
    query: z.object({ market: Id.optional() }),
    body: null,
    response: CancelOutcomes,
  },
  previewOrder: {
    summary: "What the same order would do now",
    params: None,
    query: None,
    body: PlaceOrderBody,
    response: OrderPreview,
  },
  listOpenOrders: {
    summary: "Orders that are currently open, newest first",
    params: None,
    query: z.object({
      id: Id.optional(),
      market: Id.optional(),
      assetId: Id.optional(),
      onlyFirstPage: z.enum(["true", "false"]).optional(),
      nextCursor: Cursor,
    }),
    body: null,
    response: OpenOrders,
  },
  getOrder: {
    summary: "One order, in any state",
    params: z.object({ orderId: Id }),
    query: None,
    body: null,
    response: OrderRecord,
  },
  cancelOrder: {
    summary: "Cancel an order",
    params: z.object({ orderId: Id }),
    query: None,
    body: null,
    response: OrderRecord,
  },
  listMarkets: {
    summary: "Markets to trade, with their token ids",
    params: None,
    query: z.object({
      search: Id.optional(),
      category: Id.optional(),
      status: MarketStatus.optional().meta({ description: "default open" }),
      sort: z
        .enum(["popular", "closing", "newest"])
        .optional()
        .meta({ description: "default popular" }),
      limit: Limit,
      nextCursor: Cursor,
    }),
    body: null,
    response: MarketList,
  },
  getMarket: {
    summary: "One market by condition id or slug",
    params: z.object({ marketId: Id }),
    query: None,
    body: null,
    response: MarketDetail,
  },
  getBook: {
    summary: "Order book of one outcome",
    params: z.object({ marketId: Id }),
    query: z.object({ tokenId: Id.optional().meta({ description: "default the first outcome" }) }),
    body: null,
    response: OrderBook,
  },
  getHistory: {
    summary: "Price history of one outcome",
    params: z.object({ marketId: Id }),
    query: z.object({
      tokenId: Id.optional().meta({ description: "default the first outcome" }),
      interval: z
        .enum(["1h", "6h", "1d", "1w", "1m", "max"])
        .optional()
        .meta({ description: "default 1d" }),
    }),
    body: null,
    response: PriceHistory,
  },
  listFills: {
    summary: "Fills, newest first",
    params: None,
    query: z.object({
      orderId: Id.optional(),
      market: Id.optional(),
      limit: Limit,
      nextCursor: Cursor,
    }),
    body: null,
    response: FillList,
  },
  listActivity: {
    summary: "Ledger lines with the running balance, newest first",
    params: None,
    query: z.object({ limit: Limit, nextCursor: Cursor }),
    body: null,
    response: ActivityList,
  },
  getKey: {
    summary: "What this API key is and may do",
    params: None,
    query: None,
    body: null,
    response: ApiKey,
  },
  getOpenApi: {
    summary: "This document",
    params: None,
    query: None,
    body: null,
    response: z.unknown(),
  },
} as const satisfies Record<OperationId, Operation>;

export type Operations = typeof OPERATIONS;
