import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { MarketHeader } from "@/lib/schemas/market-pages";
import type { MarketDetail } from "@/lib/schemas/markets";
import { computeChange, getPricesDayAgo } from "@/lib/markets/day-change";
import { listEventMarkets } from "@/lib/markets/event-groups";
import { toMarketDetail } from "@/lib/markets/get-market";
import { readMarketFigures } from "@/lib/markets/market-figures";
import { compareChances, toMarketLine } from "@/lib/markets/market-line";
import { listWatched } from "@/lib/markets/watchlist";
import { recordIfError } from "@/lib/stale-reads";
import { getVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

export interface MarketPage {
  market: Market;
  /** The outcome that the page shows. */
  outcome: OutcomeIndex;
  detail: z.output<typeof MarketDetail>;
  header: z.output<typeof MarketHeader>;
}

/**
 * Returns the data of a market's page, or null if the market doesn't exist. An unknown token shows the
 * first outcome, so that old links still work.
 */
export async function findMarketPage(
  principal: Principal,
  slug: string,
  tokenId: string | undefined,
): Promise<MarketPage | null> {
  const venue = getVenue(principal.mode);
  const market = await venue.findMarket(slug);
  if (!market) return null;
  const outcome: OutcomeIndex = tokenId === market.outcomes[1].tokenId ? 1 : 0;
  const listed = await recordIfError(
    () => venue.listMarkets(),
    async () => [],
  );
  const event = await listEventMarkets(venue, listed, market.eventSlug);
  const markets = [market, ...event.filter((one) => one.id !== market.id)];
  const [quotes, before, figures, watched] = await Promise.all([
    venue.getQuotes(markets),
    getPricesDayAgo(venue, markets),
    readMarketFigures(venue, market),
    listWatched(principal.userId),
  ]);
  const quote = quotes.get(market.id);
  if (!quote) return null;
  const isOpen = venue.getState(market).status === "open";
  const lines = markets
    .filter(({ id }) => quotes.has(id))
    .map((one) => toMarketLine(venue, one, { quotes, before }));
  return {
    market,
    outcome,
    detail: toMarketDetail(venue, market, quote),
    header: {
      isWatched: watched.has(market.id),
      change: isOpen ? computeChange(before.get(market.id), { mark: quote.mark, outcome }) : null,
      ...figures,
      event: lines.length > 1 ? lines.toSorted(compareChances) : [],
    },
  };
}
