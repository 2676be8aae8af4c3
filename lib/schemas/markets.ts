import { z } from "zod";
import { Instant, PriceNumber, RatioNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

const Outcome = z.strictObject({
  name: z.string(),
  tokenId: z.string(),
  side: z.enum(["YES", "NO"]),
  price: PriceNumber.meta({ description: "as a position's currentPrice" }),
  bestBid: PriceNumber.nullable(),
  bestAsk: PriceNumber.nullable(),
});

export const MarketStatus = z.enum(["open", "closed", "resolved"]);

export const Market = z
  .strictObject({
    id: z.string().meta({ description: "condition id" }),
    slug: z.string(),
    title: z.string(),
    eventSlug: z.string(),
    eventTitle: z.string(),
    category: z.string(),
    iconUrl: z.string().nullable(),
    status: MarketStatus,
    winningTokenId: z.string().nullable(),
    outcomes: z.tuple([Outcome, Outcome]),
    tickSize: z.string(),
    minOrderShares: SharesNumber,
    minMarketBuy: UsdcNumber,
    feeRate: RatioNumber.meta({ description: "taker fee = shares * rate * p * (1 - p)" }),
    negativeRisk: z.boolean(),
    opensAt: Instant,
    closesAt: Instant,
  })
  .meta({ id: "Market" });

export const MarketDetail = Market.extend({
  rules: z.string(),
  resolutionSource: z.string(),
  resolvesAt: Instant,
}).meta({ id: "MarketDetail" });

export const MarketList = z
  .strictObject({ markets: z.array(Market), nextCursor: z.string().nullable() })
  .meta({ id: "MarketList" });

const Level = z.strictObject({ price: PriceNumber, shares: SharesNumber });

export const OrderBook = z
  .strictObject({
    marketId: z.string(),
    tokenId: z.string(),
    bids: z.array(Level).meta({ description: "best first" }),
    asks: z.array(Level).meta({ description: "best first" }),
    tickSize: z.string(),
    at: Instant,
  })
  .meta({ id: "OrderBook" });

export const PriceHistory = z
  .strictObject({
    marketId: z.string(),
    tokenId: z.string(),
    points: z.array(z.strictObject({ at: Instant, price: PriceNumber })),
  })
  .meta({ id: "PriceHistory" });
