import "server-only";
import { dayChange } from "@/lib/services/markets/day-change";
import type { Market, Venue } from "@/lib/venue/port";

export const RANKINGS = ["popular", "closing", "newest", "move"] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Markets of one event that match a search. */
export interface EventGroup {
  eventSlug: string;
  markets: Market[];
}

interface Wish {
  search: string;
  category: string | null;
  eventSlug: string | null;
}

/** Whether every word of the search is somewhere in what describes the market. */
export function isWanted(market: Market, { search, category, eventSlug }: Wish): boolean {
  if (category !== null && market.category !== category) return false;
  if (eventSlug !== null && market.eventSlug !== eventSlug) return false;
  const text = `${market.title} ${market.eventTitle} ${market.category}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Puts the markets of one event together, in the order in which they come. */
export function groupByEvent(markets: readonly Market[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const market of markets) {
    const group = groups.get(market.eventSlug);
    if (group) group.markets.push(market);
    else groups.set(market.eventSlug, { eventSlug: market.eventSlug, markets: [market] });
  }
  return [...groups.values()];
}

/** A stable order: equal ranks by the event's slug. */
export function sortGroups(venue: Venue, groups: EventGroup[], by: Ranking): EventGroup[] {
  const rank = rankOf(venue, by);
  return groups
    .map((group) => ({ group, key: Math.min(...group.markets.map(rank)) }))
    .toSorted((a, b) => a.key - b.key || (a.group.eventSlug < b.group.eventSlug ? -1 : 1))
    .map(({ group }) => group);
}

/** The lower, the earlier in the list. */
function rankOf(venue: Venue, by: Ranking): (market: Market) => number {
  switch (by) {
    case "popular":
      return (market) => -market.popularity;
    case "closing":
      return (market) => market.closesAt;
    case "newest":
      return (market) => -market.opensAt;
    case "move":
      return (market) => -biggestMove(venue, market);
  }
}

/** A ranking may be as old as this; the figures that are shown never are. */
const MOVES_KEPT_MS = 60_000;
let moves: { until: number; byMarket: Map<string, number> } = { until: 0, byMarket: new Map() };

/** How far the price went in a day, up or down, for ranking only. */
function biggestMove(venue: Venue, market: Market): number {
  const now = venue.now();
  if (now >= moves.until) moves = { until: now + MOVES_KEPT_MS, byMarket: new Map() };
  const known = moves.byMarket.get(market.id);
  if (known !== undefined) return known;
  const at = Math.min(now, market.closesAt);
  const [point] = venue.getHistory(market, at, at, MOVES_KEPT_MS);
  const change = point ? dayChange(venue, market, { mark: point.price, outcome: 0 }) : null;
  const size = Math.abs(Number(change ?? 0n));
  moves.byMarket.set(market.id, size);
  return size;
}
