import type { OrderRequest } from "@ante/client";
import { z } from "zod";
import { omitUndefined } from "./omit-undefined.ts";

const DEFAULT_ROWS = 20;
const MAX_ROWS = 100;

/** The arguments of a list. */
export const PAGE = {
  limit: z.int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
  cursor: z.string().min(1).optional().describe("nextCursor of a page"),
};

export const OrderId = z.string().startsWith("ord_");

/** Results have decimals as text, so an argument can be text, too. The check isn't in the schema, to save tokens. */
const Positive = z
  .union([z.number(), z.string()])
  .refine((value) => /^\d+(\.\d+)?$/.test(String(value)) && Number(value) > 0, "must be above 0");

/** The arguments that describe an order. */
export const TERMS = {
  tokenId: z.string().min(1).describe("the outcome, from search_markets"),
  action: z.enum(["BUY", "SELL"]),
  orderType: z
    .enum(["market", "limit"])
    .describe("market: fills what it can now; the rest is dropped"),
  amount: Positive.optional().describe("USDC to spend: market BUY, or limit BUY instead of shares"),
  shares: Positive.optional(),
  price: Positive.optional().describe("limit price, or worst price of a market order"),
  timeInForce: z.enum(["GTC", "GTD", "FOK", "FAK"]).optional(),
  expiresAt: z.string().optional().describe("ISO instant, with GTD"),
  postOnly: z.boolean().optional(),
};

type Terms = z.output<z.ZodObject<typeof TERMS>>;

/** Converts the arguments to the request of the client, whose decimals are text. */
export function toOrder({ amount, shares, price, ...terms }: Terms): OrderRequest {
  return omitUndefined({
    ...terms,
    amount: toDecimal(amount),
    shares: toDecimal(shares),
    price: toDecimal(price),
  });
}

/** JavaScript prints a number with the digits that were sent, if they are 15 or fewer. */
const toDecimal = (value: number | string | undefined) =>
  value === undefined ? undefined : String(value);
