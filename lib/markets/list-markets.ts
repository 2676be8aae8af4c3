import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { assert } from "@/lib/errors";
import type { MarketList } from "@/lib/schemas/markets";
import { decodeCursor, encodeCursor, cutPage } from "@/lib/cursor";
import { type Hit, searchVenue } from "@/lib/markets/market-search";
import { toMarketView } from "@/lib/markets/market-view";
import { PAGE_SIZE } from "@/lib/schemas/page-size";
import { getVenue } from "@/lib/venues";
import type { Market, MarketStatus } from "@/lib/venue/port";

type Sort = "popular" | "closing" | "newest";

export interface MarketsQuery {
  search?: string | undefined;
  category?: string | undefined;
  status?: MarketStatus | undefined;
  sort?: Sort | undefined;
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

const SortKey = z.tuple([z.number(), z.number(), z.string()]);

/** Returns a page of the matching markets, in a stable order. */
export async function listMarkets(
  principal: Principal,
  query: MarketsQuery,
): Promise<z.output<typeof MarketList>> {
  const venue = getVenue(principal.mode);
  const sort = query.sort ?? "popular";
  const list = `markets/${sort}`;
  const after =
    query.nextCursor === undefined ? null : decodeCursor(list, SortKey, query.nextCursor);
  const status = query.status ?? "open";
  const category = query.category?.toLowerCase();
  const isWanted = (market: Market) =>
    venue.getState(market).status === status &&
    (category === undefined || market.category.toLowerCase() === category);
  const options = { search: query.search ?? "", eventSlug: null, isWanted };
  const hits = await searchVenue(venue, await venue.listMarkets(), options);
  const matching = hits
    .map((hit) => ({ market: hit.market, key: computeSortKey(hit, sort) }))
    .toSorted((a, b) => compare(a.key, b.key))
    .filter(({ key }) => after === null || compare(key, after) > 0);
  const limit = query.limit ?? PAGE_SIZE;
  const { rows, nextCursor } = cutPage(matching, limit, ({ key }) => encodeCursor(list, key));
  const quotes = await venue.getQuotes(rows.map(({ market }) => market));
  const markets = rows.map(({ market }) => {
    const quote = quotes.get(market.id);
    assert(quote, "every market is quoted");
    return toMarketView(venue, market, quote);
  });
  return { markets, nextCursor };
}

type Key = z.output<typeof SortKey>;

/** Keys sort ascending: better matches first, then more popular markets. The id makes keys unique. */
function computeSortKey({ market, rank }: Hit, sort: Sort): Key {
  switch (sort) {
    case "popular":
      return [rank, -market.popularity, market.id];
    case "closing":
      return [0, market.closesAt, market.id];
    case "newest":
      return [0, -market.opensAt, market.id];
  }
}

function compare(a: Key, b: Key): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] - b[1];
  return a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0;
}
