import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { assert } from "@/lib/errors";
import type { MarketList } from "@/lib/schemas/markets";
import { decodeCursor, encodeCursor, pageOf } from "@/lib/services/cursor";
import { toMarketView } from "@/lib/services/markets/market-view";
import { PAGE_SIZE } from "@/lib/services/page-size";
import { venueOf } from "@/lib/venue";
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

const SortKey = z.tuple([z.number(), z.string()]);

/** Markets that match, in a stable order. */
export async function listMarkets(
  principal: Principal,
  query: MarketsQuery,
): Promise<z.output<typeof MarketList>> {
  const venue = venueOf(principal.mode);
  const sort = query.sort ?? "popular";
  const list = `markets/${sort}`;
  const after =
    query.nextCursor === undefined ? null : decodeCursor(list, SortKey, query.nextCursor);
  const status = query.status ?? "open";
  const matching = (await venue.listMarkets())
    .filter((market) => venue.getState(market).status === status && isWanted(market, query))
    .map((market) => ({ market, key: sortKey(market, sort) }))
    .toSorted((a, b) => compare(a.key, b.key))
    .filter(({ key }) => after === null || compare(key, after) > 0);
  const limit = query.limit ?? PAGE_SIZE;
  const { rows, nextCursor } = pageOf(matching, limit, ({ key }) => encodeCursor(list, key));
  const quotes = await venue.getQuotes(rows.map(({ market }) => market));
  const markets = rows.map(({ market }) => {
    const quote = quotes.get(market.id);
    assert(quote, "every market is quoted");
    return toMarketView(venue, market, quote);
  });
  return { markets, nextCursor };
}

function isWanted(market: Market, { search, category }: MarketsQuery): boolean {
  if (category !== undefined && market.category !== category) return false;
  if (search === undefined) return true;
  const text = `${market.title} ${market.eventTitle} ${market.category}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Ascending; the id makes it unique. */
function sortKey(market: Market, sort: Sort): [number, string] {
  switch (sort) {
    case "popular":
      return [-market.popularity, market.id];
    case "closing":
      return [market.closesAt, market.id];
    case "newest":
      return [-market.opensAt, market.id];
  }
}

function compare(a: readonly [number, string], b: readonly [number, string]): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}
