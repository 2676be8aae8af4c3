import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { assert } from "@/lib/errors";
import type { MarketBrowse, MarketGroup } from "@/lib/schemas/market-pages";
import { getPricesDayAgo } from "@/lib/markets/day-change";
import {
  type EventGroup,
  groupByEvent,
  type Ranking,
  sortGroups,
} from "@/lib/markets/event-groups";
import { readDayVolumes, readVolumes } from "@/lib/markets/market-figures";
import { compareChances, type LinePrices, toMarketLine } from "@/lib/markets/market-line";
import { searchVenue } from "@/lib/markets/market-search";
import { listWatched } from "@/lib/markets/watchlist";
import { sum, type Usdc } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource, MarketStatus, Venue } from "@/lib/venue/port";

export interface BrowseQuery {
  search: string;
  category: string | null;
  /** Null for every status. */
  status: MarketStatus | null;
  sort: Ranking;
  /** Whether to show only the user's watchlist. */
  isWatchlist: boolean;
  /** Shows one event with all its markets; null for all events. */
  eventSlug: string | null;
  /** Rows to show. */
  limit: number;
}

/** The number of markets in an event's row, in a list of events. */
const SHOWN_PER_EVENT = 2;

/** Returns the events of the markets page, with the prices of their likeliest markets. */
export async function browseMarkets(
  principal: Principal,
  query: BrowseQuery,
): Promise<z.output<typeof MarketBrowse>> {
  const venue = getVenue(principal.mode);
  const [listed, watched] = await Promise.all([venue.listMarkets(), listWatched(principal.userId)]);
  const candidates = query.isWatchlist ? await addWatched(venue, listed, watched) : listed;
  const { search, eventSlug } = query;
  const isWanted = (market: Market) =>
    (query.status === null || getListedStatus(venue, market) === query.status) &&
    (query.category === null || market.category === query.category) &&
    (eventSlug === null || market.eventSlug === eventSlug) &&
    (!query.isWatchlist || watched.has(market.id));
  const hits = await searchVenue(venue, candidates, { search, eventSlug, isWanted });
  const matching = hits.map(({ market }) => market);
  const volumes = await readDayVolumes(matching);
  const groups = await sortGroups(venue, groupByEvent(matching), {
    by: query.sort,
    ranks: new Map(hits.map(({ market, rank }) => [market.id, rank])),
    volumes,
  });
  const shown = groups.slice(0, query.limit);
  const markets = shown.flatMap((group) => group.markets);
  const [quotes, before, liquidity, totals] = await Promise.all([
    venue.getQuotes(markets),
    getPricesDayAgo(venue, markets),
    venue.getLiquidity(markets),
    readVolumes(markets),
  ]);
  const data = { quotes, before, totals, liquidity, watched };
  const lineCount = eventSlug === null ? SHOWN_PER_EVENT : Infinity;
  return {
    groups: shown.map((group) => toGroup(venue, group, data, lineCount)),
    total: groups.length,
    categories: [...new Set(listed.map((market) => market.category))].toSorted(),
  };
}

/**
 * Returns the status under which the filter lists a market. A market that is open at the venue but
 * can't be traded with Ante is listed as open, with the reason.
 */
function getListedStatus(venue: MarketSource, market: Market): MarketStatus {
  const { status } = venue.getState(market);
  const isOpenElsewhere = market.untradable !== null && market.closesAt > venue.now();
  return status === "closed" && isOpenElsewhere ? "open" : status;
}

/** Returns the most popular events, for a search without matches. */
export async function listPopularMarkets(
  principal: Principal,
  limit: number,
): Promise<z.output<typeof MarketBrowse>> {
  return browseMarkets(principal, {
    search: "",
    category: null,
    status: "open",
    sort: "popular",
    isWatchlist: false,
    eventSlug: null,
    limit,
  });
}

/** The venue lists only its most traded markets; a watchlist can contain others. */
async function addWatched(
  venue: Venue,
  listed: readonly Market[],
  watched: ReadonlySet<string>,
): Promise<readonly Market[]> {
  const known = new Set(listed.map(({ id }) => id));
  const others = await venue.getMarkets([...watched].filter((id) => !known.has(id)));
  return [...listed, ...others.values()];
}

interface GroupData extends LinePrices {
  /** The value of all trades so far, by market id. */
  totals: ReadonlyMap<string, Usdc>;
  /** The money of all resting orders, by market id. */
  liquidity: ReadonlyMap<string, Usdc>;
  watched: ReadonlySet<string>;
}

function toGroup(
  venue: MarketSource,
  { eventSlug, markets }: EventGroup,
  data: GroupData,
  lineCount: number,
): z.output<typeof MarketGroup> {
  const [first] = markets;
  assert(first, "a group holds a market");
  const tradable = markets.find((market) => market.untradable === null);
  const lines = markets.map((market) => toMarketLine(venue, market, data)).toSorted(compareChances);
  const shown = lines.slice(0, lineCount);
  return {
    eventSlug,
    title: markets.length === 1 ? first.title : first.eventTitle,
    category: first.category,
    icon: `/icons/${first.icon}`,
    status: venue.getState(tradable ?? first).status,
    untradableReason: tradable ? null : first.untradable,
    closesAt: new Date(first.closesAt),
    isWatched: markets.some((market) => data.watched.has(market.id)),
    marketIds: markets.map((market) => market.id),
    volume: sumKnown(markets.map(({ id }) => data.totals.get(id))),
    liquidity: sumKnown(markets.map(({ id }) => data.liquidity.get(id))),
    markets: shown,
    hidden: lines.length - shown.length,
  };
}

/** Sums the figures of an event's markets; null if none is known. */
function sumKnown(figures: readonly (Usdc | undefined)[]): Usdc | null {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? null : sum(known);
}
