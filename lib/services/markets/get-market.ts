import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { assert } from "@/lib/errors";
import type { MarketDetail } from "@/lib/schemas/markets";
import { requireMarket, toMarketView } from "@/lib/services/markets/market-view";
import { venueOf } from "@/lib/venue";
import type { Market, MarketSource } from "@/lib/venue/port";

/** One market with its rules, by condition id or slug. */
export async function getMarket(
  principal: Principal,
  idOrSlug: string,
): Promise<z.output<typeof MarketDetail>> {
  const venue = venueOf(principal.mode);
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
