import "server-only";
import { changeSince, pricesAt, pricesDayAgo } from "@/lib/services/markets/day-change";
import type { Market, MarketSource, Mode } from "@/lib/venue/port";

export const RANKINGS = ["popular", "closing", "newest", "move"] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Markets of one event that match a search. */
export interface EventGroup {
  eventSlug: string;
  markets: Market[];
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

interface Order {
  by: Ranking;
  /** How well a search meets each market, by id; what is popular comes after what is meant. */
  ranks: ReadonlyMap<string, number>;
}

/** A stable order: what ranks alike stays as its venue lists it, the most traded first. */
export async function sortGroups(
  venue: MarketSource,
  groups: EventGroup[],
  { by, ranks }: Order,
): Promise<EventGroup[]> {
  const markets = groups.flatMap((group) => group.markets);
  const moves = by === "move" ? await readMoves(venue, markets) : NO_MOVES;
  const rank = rankOf(by, moves);
  const meant = ({ id }: Market) => (by === "popular" ? (ranks.get(id) ?? 0) : 0);
  return groups
    .map((group) => ({
      group,
      meant: Math.min(...group.markets.map(meant)),
      key: Math.min(...group.markets.map(rank)),
    }))
    .toSorted((a, b) => a.meant - b.meant || a.key - b.key)
    .map(({ group }) => group);
}

/** The lower, the earlier in the list. */
function rankOf(by: Ranking, moves: ReadonlyMap<string, number>): (market: Market) => number {
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
/** A ranking may be as old as this; the figures that are shown never are. */
const MOVES_KEPT_MS = 60_000;

interface Moves {
  until: number;
  byMarket: Map<string, number>;
}

const kept = new Map<Mode, Moves>();

/** How far each price went in a day, up or down, for ranking only. */
async function readMoves(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, number>> {
  const at = venue.now();
  const { byMarket } = movesAt(venue.mode, at);
  const missing = markets.filter(({ id }) => !byMarket.has(id));
  const [before, now] = await Promise.all([
    pricesDayAgo(venue, missing),
    pricesAt(venue, missing, (market) => Math.min(at, market.closesAt)),
  ]);
  for (const { id } of missing) {
    const mark = now.get(id);
    const change = mark === undefined ? null : changeSince(before.get(id), { mark, outcome: 0 });
    byMarket.set(id, Math.abs(Number(change ?? 0n)));
  }
  return byMarket;
}

function movesAt(mode: Mode, now: number): Moves {
  const current = kept.get(mode);
  if (current && now < current.until) return current;
  const fresh: Moves = { until: now + MOVES_KEPT_MS, byMarket: new Map() };
  kept.set(mode, fresh);
  return fresh;
}
