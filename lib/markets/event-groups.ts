import "server-only";
import { computeChange, getPricesAt, getPricesDayAgo } from "@/lib/markets/day-change";
import type { Market, MarketSource, Mode } from "@/lib/venue/port";
import type { Principal } from "@/lib/auth/principal";
import { microToNumber, NO_USDC, type Price, type Usdc } from "@/lib/units";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
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
  /** What traded in the last 24 hours, by market id. */
  volumes: ReadonlyMap<string, Usdc>;
}

/**
 * Sorts groups. By popularity, events without an open market come last, the latest close first, and events of
 * one series don't follow each other. Ties stay in the venue's order, most traded first.
 */
export async function sortGroups(
  venue: MarketSource,
  groups: EventGroup[],
  { by, ranks, volumes }: Order,
): Promise<EventGroup[]> {
  const needsPrices = by === "move" || by === "popular";
  const markets = groups.flatMap((group) => group.markets);
  const open = new Set(markets.filter((market) => isOpen(venue, market)));
  const needed = by === "popular" ? [...open] : markets;
  const prices = needsPrices ? await findRankingPrices(venue, needed) : NO_PRICES;
  const getKey = chooseSortKey(by, { prices, volumes, open });
  const getClosedKey = (group: EventGroup) =>
    group.markets.some((market) => open.has(market))
      ? 0
      : -Math.max(...group.markets.map(({ closesAt }) => closesAt));
  const getRank = ({ id }: Market) => (by === "popular" ? (ranks.get(id) ?? 0) : 0);
  const keyed = groups.map((group) => ({ group, key: getKey(group.markets) }));
  return (by === "popular" ? spreadSeries(keyed) : keyed)
    .map(({ group, key }) => ({
      group,
      rank: Math.min(...group.markets.map(getRank)),
      key,
      closed: by === "popular" ? getClosedKey(group) : 0,
    }))
    .toSorted((a, b) => a.rank - b.rank || a.key - b.key || a.closed - b.closed)
    .map(({ group }) => group);
}

interface KeyedGroup {
  group: EventGroup;
  /** Zero or less; lower comes first. */
  key: number;
}

/** Divides the popularity of the second event of a series by 2, of the third by 3, and so on. */
function spreadSeries(groups: readonly KeyedGroup[]): KeyedGroup[] {
  const counts = new Map<string, number>();
  return groups
    .toSorted((a, b) => a.key - b.key)
    .map(({ group, key }) => {
      const series = group.markets[0]?.series ?? group.eventSlug;
      const count = (counts.get(series) ?? 0) + 1;
      counts.set(series, count);
      return { group, key: key / count };
    });
}

/** Whether a market is open here, or at a venue that trades it while Ante can't. */
function isOpen(venue: MarketSource, market: Market): boolean {
  const isOpenElsewhere = market.untradable !== null && market.closesAt > venue.now();
  return isOpenElsewhere || venue.getState(market).status === "open";
}

interface RankingData {
  prices: ReadonlyMap<string, RankingPrice>;
  volumes: ReadonlyMap<string, Usdc>;
  /** The open markets of all events. */
  open: ReadonlySet<Market>;
}

/** Returns a function that gives the sort key of an event's markets. Lower keys come first. */
function chooseSortKey(
  by: Ranking,
  { prices, volumes, open }: RankingData,
): (markets: readonly Market[]) => number {
  const smallest = (key: (market: Market) => number) => (markets: readonly Market[]) =>
    Math.min(...markets.map(key));
  switch (by) {
    case "popular":
      return (markets) => {
        const interest = markets.map(
          ({ id, popularity }) => popularity + microToNumber(volumes.get(id) ?? NO_USDC),
        );
        const openMarkets = markets.filter((market) => open.has(market));
        return -Math.max(...interest) * computeOpenness(openMarkets, prices);
      };
    case "closing":
      return smallest((market) => market.closesAt);
    case "newest":
      return smallest((market) => -market.opensAt);
    case "move":
      return smallest((market) => -(prices.get(market.id)?.move ?? 0));
  }
}

/**
 * How open an event's result is, by its likeliest market, which its row shows first: 1 at 50 %, 0.36
 * at 90 %, 0.04 at 99 %. 1 if no price is known, and 0 without an open
 * market.
 */
function computeOpenness(
  markets: readonly Market[],
  prices: ReadonlyMap<string, RankingPrice>,
): number {
  if (markets.length === 0) return 0;
  const known = markets.flatMap(({ id }) => prices.get(id)?.price ?? []);
  if (known.length === 0) return 1;
  const chance = Math.max(...known.map(microToNumber));
  return 4 * chance * (1 - chance);
}

/** The prices by which a market is ranked. */
interface RankingPrice {
  price: Price | null;
  /** The absolute change in a day. */
  move: number;
}

const NO_PRICES: ReadonlyMap<string, RankingPrice> = new Map();
/** Only the ranking can be this old; displayed figures are current. */
const PRICES_MAX_AGE_MS = 60_000;

interface RankingPrices {
  until: number;
  byMarket: Map<string, RankingPrice>;
}

const cached = new Map<Mode, RankingPrices>();

/** Without prices, the ranking is only coarser, so a failing venue doesn't prevent it. */
async function findRankingPrices(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, RankingPrice>> {
  try {
    return await readRankingPrices(venue, markets);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn("ranking prices not read", errorFields(error));
    return NO_PRICES;
  }
}

async function readRankingPrices(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, RankingPrice>> {
  const at = venue.now();
  const { byMarket } = getCachedPrices(venue.mode, at);
  const missing = markets.filter(({ id }) => !byMarket.has(id));
  const [before, now] = await Promise.all([
    getPricesDayAgo(venue, missing),
    getPricesAt(venue, missing, (market) => Math.min(at, market.closesAt)),
  ]);
  for (const { id } of missing) {
    const mark = now.get(id) ?? null;
    const change = mark === null ? null : computeChange(before.get(id), { mark, outcome: 0 });
    byMarket.set(id, { price: mark, move: Math.abs(Number(change ?? 0n)) });
  }
  return byMarket;
}

function getCachedPrices(mode: Mode, now: number): RankingPrices {
  const current = cached.get(mode);
  if (current && now < current.until) return current;
  const fresh: RankingPrices = { until: now + PRICES_MAX_AGE_MS, byMarket: new Map() };
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
