import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { assert } from "@/lib/errors";
import type { MarketDetail } from "@/lib/schemas/markets";
import { requireMarket, toMarketView } from "@/lib/markets/market-view";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource } from "@/lib/venue/port";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { formatMicro } from "@/lib/units";

/** Returns a market with its rules, by condition id or slug. Throws MARKET_NOT_FOUND. */
export async function getMarket(
  principal: Principal,
  idOrSlug: string,
): Promise<z.output<typeof MarketDetail>> {
  const venue = getVenue(principal.mode);
  const market = await requireMarket(venue, idOrSlug);
  const quote = (await venue.getQuotes([market])).get(market.id);
  assert(quote, "every market is quoted");
  return toMarketDetail(venue, market, quote);
}

export function toMarketDetail(
  venue: MarketSource,
  market: Market,
  quote: Quote,
): z.output<typeof MarketDetail> {
  return {
    ...toMarketView(venue, market, quote),
    rules: market.rules,
    resolutionSource: market.resolutionSource,
    resolvesAt: new Date(market.resolvesAt),
  };
}

/** Returns the market and outcome of a token, or null. */
export async function findMarketByToken(
  principal: Principal,
  tokenId: string,
): Promise<{ market: Market; outcome: OutcomeIndex } | null> {
  return getVenue(principal.mode).findMarketByToken(tokenId);
}

/** Returns the tick sizes of markets by condition id. */
export async function getTickSizes(
  principal: Principal,
  marketIds: readonly string[],
): Promise<Record<string, string>> {
  const markets = await getVenue(principal.mode).getMarkets(marketIds);
  return Object.fromEntries([...markets].map(([id, { tick }]) => [id, formatMicro(tick)]));
}
