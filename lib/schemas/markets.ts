import { z } from "zod";
import { Instant, PriceNumber, RatioNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

const Outcome = z.strictObject({
  name: z.string().describe("The outcome's name, such as Yes."),
  tokenId: z.string().describe("The id to trade it by."),
  side: z.enum(["YES", "NO"]).describe("YES for the market's first outcome, NO for its second."),
  price: PriceNumber.describe(
    "The midpoint; the last trade where the spread exceeds 0.10; 1 or 0 once resolved.",
  ),
  bestBid: PriceNumber.nullable().describe("The highest bid, or null."),
  bestAsk: PriceNumber.nullable().describe("The lowest ask, or null."),
});

export const MarketStatus = z.enum(["open", "closed", "resolved"]);

export const Market = z
  .strictObject({
    id: z.string().describe("The market's condition id."),
    slug: z.string().describe("The market's name in addresses."),
    title: z.string().describe("The market's question."),
    eventSlug: z.string().describe("The event that the market belongs to."),
    eventTitle: z.string().describe("The event's title."),
    category: z.string().describe("The event's category."),
    iconUrl: z.string().nullable().describe("The market's icon, or null."),
    status: MarketStatus.describe("Only open markets take orders."),
    untradableReason: z
      .string()
      .nullable()
      .describe(
        "Why the market can't be traded with Ante, even if Polymarket trades it; null if it can. Such a market is never open.",
      ),
    winningTokenId: z
      .string()
      .nullable()
      .describe("The token that won, once resolved; otherwise null."),
    outcomes: z.tuple([Outcome, Outcome]).describe("The two outcomes: first YES, then NO."),
    tickSize: z.string().describe("Prices are multiples of it."),
    minOrderShares: SharesNumber.describe("The smallest limit order, in shares."),
    minMarketBuy: UsdcNumber.describe("The smallest market buy, in USDC."),
    feeRate: RatioNumber.describe("Taker fee = shares * feeRate * price * (1 - price)."),
    negativeRisk: z.boolean().describe("True where the event's outcomes exclude each other."),
    opensAt: Instant.describe("When trading began."),
    closesAt: Instant.describe("When trading ends."),
  })
  .meta({ id: "Market" });

export const MarketDetail = Market.extend({
  rules: z.string().describe("How the result is decided."),
  resolutionSource: z.string().describe("Where the result comes from."),
  resolvesAt: Instant.describe("When the result is expected."),
}).meta({ id: "MarketDetail" });

export const MarketList = z
  .strictObject({
    markets: z.array(Market).describe("Markets in the order that was asked for."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "MarketList" });

const Level = z.strictObject({
  price: PriceNumber.describe("Price in USDC per share."),
  shares: SharesNumber.describe("Shares on offer at this price."),
});

export const OrderBook = z
  .strictObject({
    marketId: z.string().describe("The market's condition id."),
    tokenId: z.string().describe("The outcome whose book it is."),
    bids: z.array(Level).describe("Buy orders by price, best first."),
    asks: z.array(Level).describe("Sell orders by price, best first."),
    tickSize: z.string().describe("Prices are multiples of it."),
    at: Instant.describe("The time of the snapshot."),
  })
  .meta({ id: "OrderBook" });

export const PriceHistory = z
  .strictObject({
    marketId: z.string().describe("The market's condition id."),
    tokenId: z.string().describe("The outcome whose prices they are."),
    points: z
      .array(
        z.strictObject({
          at: Instant.describe("The time of the price."),
          price: PriceNumber.describe("Price in USDC per share."),
        }),
      )
      .describe("Prices, oldest first."),
  })
  .meta({ id: "PriceHistory" });
