import type { Market } from "@ante/client";
import { z } from "zod";
import { answer, READ } from "./answer.ts";
import type { Toolbox } from "./toolbox.ts";
import { omitUndefined } from "./omit-undefined.ts";
import { markUntrusted } from "./untrusted.ts";

/** Markets on a page, because each takes about 150 tokens. */
const DEFAULT_MARKETS = 10;
const MAX_MARKETS = 25;
const DEFAULT_LEVELS = 10;
const MAX_LEVELS = 50;

const Price = z.string().nullable();

const Outcome = z.object({
  tokenId: z.string(),
  name: z.string(),
  price: z.string(),
  bestBid: Price,
  bestAsk: Price,
});

const MARKET = {
  marketId: z.string(),
  title: z.string(),
  status: z.enum(["open", "closed", "resolved"]),
  closesAt: z.string(),
  outcomes: z.array(Outcome),
};

const Found = z.object({
  markets: z.array(z.object(MARKET)),
  nextCursor: z.string().nullable(),
});

const Levels = z.array(z.object({ price: z.string(), shares: z.string() }));

const Book = z.object({
  ...MARKET,
  rules: z.string(),
  tickSize: z.string(),
  minOrderShares: z.string(),
  minMarketBuyUsdc: z.string(),
  feeRate: z.string().describe("fee = shares * feeRate * price * (1 - price)"),
  tokenId: z.string().describe("the outcome of bids and asks"),
  bids: Levels,
  asks: Levels,
});

/** Adds the tools that read markets. */
export function addMarketTools(tools: Toolbox): void {
  const { server, ante } = tools;
  server.registerTool(
    "search_markets",
    {
      title: "Search markets",
      description: "Finds prediction markets, with the token ids and prices of their outcomes.",
      annotations: READ,
      inputSchema: z.strictObject({
        query: z.string().max(100).optional().describe("words of the title, event or category"),
        status: z.enum(["open", "closed", "resolved"]).optional().describe("default open"),
        sort: z.enum(["closing", "newest"]).optional(),
        limit: z.int().min(1).max(MAX_MARKETS).default(DEFAULT_MARKETS),
        cursor: z.string().optional().describe("nextCursor of a page"),
      }),
      outputSchema: Found,
    },
    answer(tools, Found, async ({ query, cursor, ...filters }) => {
      const search = omitUndefined({ ...filters, search: query, nextCursor: cursor });
      const { markets, nextCursor } = await ante.markets.list(search).page();
      return { markets: markets.map(toMarket), nextCursor };
    }),
  );
  server.registerTool(
    "read_book",
    {
      title: "Read an order book",
      description: "Returns a market with its rules, and the order book of one outcome.",
      annotations: READ,
      inputSchema: z.strictObject({
        marketId: z.string().min(1),
        tokenId: z.string().min(1).optional().describe("default: the first outcome"),
        levels: z.int().min(1).max(MAX_LEVELS).default(DEFAULT_LEVELS),
      }),
      outputSchema: Book,
    },
    answer(tools, Book, async ({ marketId, tokenId, levels }) => {
      const [market, book] = await Promise.all([
        ante.markets.get(marketId),
        ante.markets.book(marketId, omitUndefined({ tokenId })),
      ]);
      return {
        ...toMarket(market),
        rules: markUntrusted(market.rules),
        tickSize: market.tickSize,
        minOrderShares: market.minOrderShares,
        minMarketBuyUsdc: market.minMarketBuy,
        feeRate: market.feeRate,
        tokenId: book.tokenId,
        bids: book.bids.slice(0, levels),
        asks: book.asks.slice(0, levels),
      };
    }),
  );
}

function toMarket(market: Market): z.output<z.ZodObject<typeof MARKET>> {
  const { id, title, status, closesAt, outcomes } = market;
  return {
    marketId: id,
    title: markUntrusted(title),
    status,
    closesAt,
    outcomes: outcomes.map(({ tokenId, name, price, bestBid, bestAsk }) => ({
      tokenId,
      name: markUntrusted(name),
      price,
      bestBid,
      bestAsk,
    })),
  };
}
