import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { MarketHeader } from "@/lib/schemas/market-pages";
import type { MarketDetail } from "@/lib/schemas/markets";
import { changeSince, pricesDayAgo } from "@/lib/services/markets/day-change";
import { eventMarkets } from "@/lib/services/markets/event-markets";
import { toMarketDetail } from "@/lib/services/markets/get-market";
import { listWatched } from "@/lib/services/watchlist/list-watched";
import { orFromRecord } from "@/lib/showing";
import { venueOf } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

export interface MarketPage {
  market: Market;
  /** The outcome that is looked at. */
  outcome: OutcomeIndex;
  detail: z.output<typeof MarketDetail>;
  header: z.output<typeof MarketHeader>;
}

/**
 * A market with what its page says of it and of its event, or null. A token that is not the
 * market's shows the first outcome: an old link still leads somewhere.
 */
export async function findMarketPage(
  principal: Principal,
  slug: string,
  tokenId: string | undefined,
): Promise<MarketPage | null> {
  const venue = venueOf(principal.mode);
  const market = await venue.findMarket(slug);
  if (!market) return null;
  const outcome: OutcomeIndex = tokenId === market.outcomes[1].tokenId ? 1 : 0;
  const listed = await orFromRecord(
    () => venue.listMarkets(),
    async () => [],
  );
  const event = await eventMarkets(venue, listed, market.eventSlug);
  const others = event.filter((one) => one.id !== market.id);
  const [quotes, before, watched] = await Promise.all([
    venue.getQuotes([market, ...others]),
    pricesDayAgo(venue, [market]),
    listWatched(principal.userId),
  ]);
  const quote = quotes.get(market.id);
  if (!quote) return null;
  const isOpen = venue.getState(market).status === "open";
  return {
    market,
    outcome,
    detail: toMarketDetail(venue, market, quote),
    header: {
      isWatched: watched.has(market.id),
      change: isOpen ? changeSince(before.get(market.id), { mark: quote.mark, outcome }) : null,
      siblings: others.flatMap(({ id, slug: route, label, title }) => {
        const mark = quotes.get(id)?.mark;
        return mark === undefined ? [] : [{ slug: route, label: label ?? title, chance: mark }];
      }),
    },
  };
}
