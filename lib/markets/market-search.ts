import "server-only";
import { findMatches, type SearchTexts, splitWords } from "@/lib/domain/search";
import type { Market, MarketSource } from "@/lib/venue/port";

export interface Hit {
  market: Market;
  /** How well the market matches; lower is better. */
  rank: number;
}

/** Finds the markets that match a search by title, event and category, in their order. */
function searchMarkets(markets: readonly Market[], search: string): Hit[] {
  const matches = findMatches(markets, search, getSearchTexts);
  return matches.map(({ item, rank }) => ({ market: item, rank }));
}

/** With fewer hits among the listed markets, the venue is searched too. */
const FEW_HITS = 10;

interface SearchOptions {
  search: string;
  /** Null for every event. */
  eventSlug: string | null;
  isWanted: (market: Market) => boolean;
}

/** Searches the listed markets and, if that finds few, the venue's other markets. */
export async function searchVenue(
  venue: MarketSource,
  listed: readonly Market[],
  { search, eventSlug, isWanted }: SearchOptions,
): Promise<Hit[]> {
  const wanted = listed.filter(isWanted);
  const hits = searchMarkets(wanted, search);
  if (hits.length >= FEW_HITS || (search.trim() === "" && eventSlug === null)) return hits;
  const known = new Set(listed.map(({ id }) => id));
  const found =
    eventSlug === null
      ? await venue.findUnlisted("search", search)
      : await venue.findUnlisted("event", eventSlug);
  const others = found.filter((market) => !known.has(market.id) && isWanted(market));
  return others.length === 0 ? hits : searchMarkets([...wanted, ...others], search);
}

/** Splitting a title into words costs more than comparing them, and titles don't change. */
const cachedTexts = new WeakMap<Market, SearchTexts>();

function getSearchTexts(market: Market): SearchTexts {
  const cached = cachedTexts.get(market);
  if (cached) return cached;
  const texts = [market.title, market.eventTitle, market.category].map(splitWords);
  cachedTexts.set(market, texts);
  return texts;
}
