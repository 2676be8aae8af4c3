import "server-only";
import { findMatches, type SearchTexts, searchWords } from "@/lib/domain/search";
import type { Market, MarketSource } from "@/lib/venue/port";

export interface Hit {
  market: Market;
  /** How well it is met; the lower, the better. */
  rank: number;
}

/** The markets that a search means, by title, event and category, in the order they came in. */
function searchMarkets(markets: readonly Market[], search: string): Hit[] {
  return findMatches(markets, search, textsOf).map(({ one, rank }) => ({ market: one, rank }));
}

/** With fewer hits the venue is asked too: it lists what is traded most, and has more. */
const FEW_HITS = 10;

interface Wish {
  search: string;
  /** Null for every event. */
  eventSlug: string | null;
  isWanted: (market: Market) => boolean;
}

/** The hits among listed markets and, where they are few, among others that the venue has. */
export async function searchVenue(
  venue: MarketSource,
  listed: readonly Market[],
  { search, eventSlug, isWanted }: Wish,
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

/** Putting a title into words costs more than comparing them, and titles do not change. */
const known = new WeakMap<Market, SearchTexts>();

function textsOf(market: Market): SearchTexts {
  const before = known.get(market);
  if (before) return before;
  const texts = [market.title, market.eventTitle, market.category].map(searchWords);
  known.set(market, texts);
  return texts;
}
