import "server-only";
import { computeChange, getPricesAt, getPricesDayAgo } from "@/lib/markets/day-change";
import type { Market, MarketSource, Mode } from "@/lib/venue/port";
import type { Principal } from "@/lib/auth/principal";
import { getVenue } from "@/lib/venues";

export const RANKINGS = ["popular", "closing", "newest", "move"] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Markets of one event that match a search. */
export interface EventGroup {
  eventSlug: string;
  markets: Market[];
}

/** Groups markets by event, in their order. */
export function groupByEvent(markets: readonly Market[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const market of markets) {
    const group = groups.get(market.eventSlug);
    if (group) group.markets.push(market);
    else groups.set(market.eventSlug, { eventSlug: market.eventSlug, markets: [market] });
  }
  return [...groups.values()];
}

interface Order {
  by: Ranking;
  /** How well each market matches the search, by id. A better match comes before a more popular one. */
  ranks: ReadonlyMap<string, number>;
}

/** Sorts groups. Ties stay in the venue's order, most traded first. */
export async function sortGroups(
  venue: MarketSource,
  groups: EventGroup[],
  { by, ranks }: Order,
): Promise<EventGroup[]> {
  const markets = groups.flatMap((group) => group.markets);
  const moves = by === "move" ? await readMoves(venue, markets) : NO_MOVES;
  const getKey = chooseSortKey(by, moves);
  const getRank = ({ id }: Market) => (by === "popular" ? (ranks.get(id) ?? 0) : 0);
  return groups
    .map((group) => ({
      group,
      rank: Math.min(...group.markets.map(getRank)),
      key: Math.min(...group.markets.map(getKey)),
    }))
    .toSorted((a, b) => a.rank - b.rank || a.key - b.key)
    .map(({ group }) => group);
}

/** Returns a function that gives a market's sort key. Lower keys come first. */
function chooseSortKey(
  by: Ranking,
  moves: ReadonlyMap<string, number>,
): (market: Market) => number {
  switch (by) {
    case "popular":
      return (market) => -market.popularity;
    case "closing":
      return (market) => market.closesAt;
    case "newest":
      return (market) => -market.opensAt;
    case "move":
      return (market) => -(moves.get(market.id) ?? 0);
  }
}

const NO_MOVES: ReadonlyMap<string, number> = new Map();
/** Only the ranking can be this old; displayed figures are current. */
const MOVES_MAX_AGE_MS = 60_000;

interface Moves {
  until: number;
  byMarket: Map<string, number>;
}

const cached = new Map<Mode, Moves>();

/** Returns the absolute price change of each market in a day, for ranking only. */
async function readMoves(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, number>> {
  const at = venue.now();
  const { byMarket } = getCachedMoves(venue.mode, at);
  const missing = markets.filter(({ id }) => !byMarket.has(id));
  const [before, now] = await Promise.all([
    getPricesDayAgo(venue, missing),
    getPricesAt(venue, missing, (market) => Math.min(at, market.closesAt)),
  ]);
  for (const { id } of missing) {
    const mark = now.get(id);
    const change = mark === undefined ? null : computeChange(before.get(id), { mark, outcome: 0 });
    byMarket.set(id, Math.abs(Number(change ?? 0n)));
  }
  return byMarket;
}

function getCachedMoves(mode: Mode, now: number): Moves {
  const current = cached.get(mode);
  if (current && now < current.until) return current;
  const fresh: Moves = { until: now + MOVES_MAX_AGE_MS, byMarket: new Map() };
  cached.set(mode, fresh);
  return fresh;
}

/** Returns the listed markets of an event. If none are listed, asks the venue for the event. */
export async function listEventMarkets(
  venue: MarketSource,
  listed: readonly Market[],
  eventSlug: string,
): Promise<readonly Market[]> {
  const own = listed.filter((market) => market.eventSlug === eventSlug);
  return own.length > 0 ? own : venue.findUnlisted("event", eventSlug);
}

/** Returns the market ids of an event; none if the event doesn't exist. */
export async function listEventMarketIds(
  principal: Principal,
  eventSlug: string,
): Promise<string[]> {
  const venue = getVenue(principal.mode);
  const markets = await listEventMarkets(venue, await venue.listMarkets(), eventSlug);
  return markets.map(({ id }) => id);
}
