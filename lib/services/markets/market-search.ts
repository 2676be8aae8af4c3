import "server-only";
import { findMatches, type SearchTexts, searchWords } from "@/lib/domain/search";
import type { Market } from "@/lib/venue/port";

export interface Hit {
  market: Market;
  /** How well it is met; the lower, the better. */
  rank: number;
}

/** The markets that a search means, by title, event and category, in the order they came in. */
export function searchMarkets(markets: readonly Market[], search: string): Hit[] {
  return findMatches(markets, search, textsOf).map(({ one, rank }) => ({ market: one, rank }));
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
