import "server-only";
import type { z } from "zod";
import type { Quote } from "@/lib/domain/mark-price";
import { toBookPrice, type OutcomeIndex, toYesOrNo } from "@/lib/domain/settlement";
import { AppError } from "@/lib/errors";
import type { Market as MarketSchema } from "@/lib/schemas/markets";
import { buildIconUrl } from "@/lib/public-url";
import { formatMicro } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

/** Builds the API's representation of a market. */
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
    iconUrl: buildIconUrl(market.icon),
    status,
    untradableReason: market.untradable,
    winningTokenId: winner === null ? null : market.outcomes[winner].tokenId,
    outcomes: [toOutcomeView(market, quote, 0), toOutcomeView(market, quote, 1)],
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
  if (!market) throw new AppError("MARKET_NOT_FOUND", "This market doesn't exist.");
  return market;
}

/** Returns the outcome of a token, the first without one. Throws MARKET_NOT_FOUND for another token. */
export function requireOutcome(market: Market, tokenId: string | undefined): OutcomeIndex {
  if (tokenId === undefined || tokenId === market.outcomes[0].tokenId) return 0;
  if (tokenId === market.outcomes[1].tokenId) return 1;
  throw new AppError("MARKET_NOT_FOUND", "This market doesn't have this token.");
}

/** The bid of the second token is the ask of the first, seen from the other side. */
function toOutcomeView(market: Market, quote: Quote, outcome: OutcomeIndex) {
  const [bid, ask] = outcome === 0 ? [quote.bid, quote.ask] : [quote.ask, quote.bid];
  return {
    ...market.outcomes[outcome],
    side: toYesOrNo(outcome),
    price: toBookPrice(outcome, quote.mark),
    bestBid: bid === null ? null : toBookPrice(outcome, bid),
    bestAsk: ask === null ? null : toBookPrice(outcome, ask),
  } as const;
}
