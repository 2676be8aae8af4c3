import "server-only";
import { z } from "zod";
import { SAMPLE_WORD } from "@/lib/api/operations/examples";
import { NO_INPUT, type Operation, VENUE_ERRORS } from "@/lib/api/operations/operation";
import {
  MarketDetail,
  MarketList,
  MarketStatus,
  OrderBook,
  PriceHistory,
} from "@/lib/schemas/markets";
import {
  Cursor,
  Limit,
  MarketId,
  OutcomeFilter,
  QueryText,
  SearchText,
} from "@/lib/schemas/parameters";

export const listMarkets = {
  method: "GET",
  path: "/v1/markets",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Markets",
  title: "Markets",
  summary: "List markets to trade, with their token ids",
  description:
    "Markets with both outcomes, their token ids and best prices. A search has at most 20 words and " +
    "100 characters. Categories are taken in any letter case.",
  ...NO_INPUT,
  query: z.object({
    search: SearchText.optional().describe("Words of the title, event or category."),
    category: QueryText.optional().describe("Only this category, in any letter case."),
    status: MarketStatus.optional().describe("Only markets in this state; open by default."),
    sort: z
      .enum(["popular", "closing", "newest"])
      .optional()
      .describe("The order of the markets; popular by default."),
    limit: Limit,
    nextCursor: Cursor,
  }),
  response: MarketList,
  errors: VENUE_ERRORS,
  exampleQuery: { search: SAMPLE_WORD, limit: "10" },
} as const satisfies Operation;

export const getMarket = {
  method: "GET",
  path: "/v1/markets/{marketId}",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Markets",
  title: "One market",
  summary: "Get one market by condition id or slug",
  description: "A market with its rules and where its result comes from.",
  ...NO_INPUT,
  params: z.object({ marketId: MarketId }),
  response: MarketDetail,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
} as const satisfies Operation;

export const getBook = {
  method: "GET",
  path: "/v1/markets/{marketId}/book",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Markets",
  title: "Order book",
  summary: "Get the order book of one outcome",
  description:
    "The book of one outcome, best prices first, up to 1,000 prices on each side. The other " +
    "outcome's book is its mirror: a bid at p is an ask at 1 - p.",
  ...NO_INPUT,
  params: z.object({ marketId: MarketId }),
  query: z.object({ tokenId: OutcomeFilter }),
  response: OrderBook,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
} as const satisfies Operation;

export const getHistory = {
  method: "GET",
  path: "/v1/markets/{marketId}/history",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Markets",
  title: "Price history",
  summary: "Get the price history of one outcome",
  description: "Prices of one outcome over time, oldest first.",
  ...NO_INPUT,
  params: z.object({ marketId: MarketId }),
  query: z.object({
    tokenId: OutcomeFilter,
    interval: z
      .enum(["1h", "6h", "1d", "1w", "1m", "max"])
      .optional()
      .describe("How far back it goes; 1d by default."),
  }),
  response: PriceHistory,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
  exampleQuery: { interval: "1w" },
} as const satisfies Operation;
