import "server-only";
import { z } from "zod";
import { NO_INPUT, type Operation, VENUE_ERRORS } from "@/lib/api/operations/operation";
import { ActivityList } from "@/lib/schemas/account";
import { FillList } from "@/lib/schemas/orders";
import { Cursor, Limit, MarketFilter, QueryText } from "@/lib/schemas/parameters";

export const listFills = {
  method: "GET",
  path: "/v1/fills",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "History",
  title: "Fills",
  summary: "List fills, newest first",
  description: "Each fill has its price, its fee, and whether it took or made liquidity.",
  ...NO_INPUT,
  query: z.object({
    orderId: QueryText.optional().describe("Only the fills of this order."),
    market: MarketFilter,
    limit: Limit,
    nextCursor: Cursor,
  }),
  response: FillList,
  errors: ["MARKET_NOT_FOUND", ...VENUE_ERRORS],
  age: "comparison",
} as const satisfies Operation;

export const listActivity = {
  method: "GET",
  path: "/v1/activity",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "History",
  title: "Activity",
  summary: "List ledger lines with the running balance, newest first",
  description: "Every line of the account's cash: deposits, trades, fees, payouts.",
  ...NO_INPUT,
  query: z.object({ market: MarketFilter, limit: Limit, nextCursor: Cursor }),
  response: ActivityList,
  errors: ["WALLET_NOT_FOUND", ...VENUE_ERRORS],
  age: "comparison",
} as const satisfies Operation;
