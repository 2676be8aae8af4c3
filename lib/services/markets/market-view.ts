import "server-only";
import type { z } from "zod";
import type { Quote } from "@/lib/domain/mark-price";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { AppError } from "@/lib/errors";
import type { Market as MarketSchema } from "@/lib/schemas/markets";
import { sideOf } from "@/lib/services/orders/order-record";
import { iconUrl } from "@/lib/services/public-url";
import { formatMicro } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

/** A market as the interface shows it. */
export function toMarketView(
  venue: MarketSource,
  market: Market,
  quote: Quote,
): z.output<typeof MarketSchema> {
  const { status, winner } = venue.getState(market);
  return {
    id: market.id,
    slug: market.slug,
    title: market.title,
    eventSlug: market.eventSlug,
    eventTitle: market.eventTitle,
    category: market.category,
    iconUrl: iconUrl(market.icon),
    status,
    winningTokenId: winner === null ? null : market.outcomes[winner].tokenId,
    outcomes: [outcomeView(market, quote, 0), outcomeView(market, quote, 1)],
    tickSize: formatMicro(market.tick),
    minOrderShares: market.minOrderShares,
    minMarketBuy: market.minBuyAmount,
    feeRate: market.feeRate,
    negativeRisk: market.isNegRisk,
    opensAt: new Date(market.opensAt),
    closesAt: new Date(market.closesAt),
  };
}

/** Finds a market by condition id or slug. Throws MARKET_NOT_FOUND. */
export async function requireMarket(venue: MarketSource, idOrSlug: string): Promise<Market> {
  const market = await venue.findMarket(idOrSlug);
  if (!market) throw new AppError("MARKET_NOT_FOUND", "there is no such market");
  return market;
}

/** Which outcome of the market a token is; the first when none is named. */
export function outcomeOf(market: Market, tokenId: string | undefined): OutcomeIndex {
  if (tokenId === undefined || tokenId === market.outcomes[0].tokenId) return 0;
  if (tokenId === market.outcomes[1].tokenId) return 1;
  throw new AppError("MARKET_NOT_FOUND", "this market has no such token");
}

/** The bid of the second token is the ask of the first, seen from the other side. */
function outcomeView(market: Market, quote: Quote, outcome: OutcomeIndex) {
  const [bid, ask] = outcome === 0 ? [quote.bid, quote.ask] : [quote.ask, quote.bid];
  return {
    ...market.outcomes[outcome],
    side: sideOf(outcome),
    price: bookPriceOf(outcome, quote.mark),
    bestBid: bid === null ? null : bookPriceOf(outcome, bid),
    bestAsk: ask === null ? null : bookPriceOf(outcome, ask),
  } as const;
}
