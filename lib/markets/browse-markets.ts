import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { toBookPrice } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { MarketBrowse, MarketGroup, MarketLine } from "@/lib/schemas/market-pages";
import { computeChange, getPricesDayAgo } from "@/lib/markets/day-change";
import {
  type EventGroup,
  groupByEvent,
  type Ranking,
  sortGroups,
} from "@/lib/markets/event-groups";
import { searchVenue } from "@/lib/markets/market-search";
import { listWatched } from "@/lib/markets/watchlist";
import { formatMicro, type Price, subtract } from "@/lib/units";
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
  /** Shows the markets of one event, each in its own row; null for all events. */
  eventSlug: string | null;
  /** Rows to show. */
  limit: number;
}

/** The number of markets in an event's row. */
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
  const groups = await sortGroups(
    venue,
    query.eventSlug === null ? groupByEvent(matching) : matching.map(toSingleGroup),
    { by: query.sort, ranks: new Map(hits.map(({ market, rank }) => [market.id, rank])) },
  );
  const shown = groups.slice(0, query.limit);
  const markets = shown.flatMap((group) => group.markets);
  const [quotes, before] = await Promise.all([
    venue.getQuotes(markets),
    getPricesDayAgo(venue, markets),
  ]);
  return {
    groups: shown.map((group) => toGroup(venue, group, { quotes, before, watched })),
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

function toSingleGroup(market: Market): EventGroup {
  return { eventSlug: market.eventSlug, markets: [market] };
}

interface GroupData {
  quotes: ReadonlyMap<string, Quote>;
  /** Prices of the first outcomes a day ago, by market id. */
  before: ReadonlyMap<string, Price>;
  watched: ReadonlySet<string>;
}

function toGroup(
  venue: MarketSource,
  { eventSlug, markets }: EventGroup,
  data: GroupData,
): z.output<typeof MarketGroup> {
  const [first] = markets;
  assert(first, "a group holds a market");
  const tradable = markets.find((market) => market.untradable === null);
  const lines = markets
    .map((market) => toLine(venue, market, data))
    .toSorted((a, b) => (a.chance === b.chance ? 0 : a.chance > b.chance ? -1 : 1));
  const shown = lines.slice(0, SHOWN_PER_EVENT);
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
    markets: shown,
    hidden: lines.length - shown.length,
  };
}

function toLine(
  venue: MarketSource,
  market: Market,
  { quotes, before }: GroupData,
): z.output<typeof MarketLine> {
  const quote = quotes.get(market.id);
  assert(quote, "every market is quoted");
  const { status, winner } = venue.getState(market);
  const { bid, ask, mark } = quote;
  const asks = [ask, bid === null ? null : toBookPrice(1, bid)] as const;
  return {
    id: market.id,
    slug: market.slug,
    title: market.title,
    label: market.label,
    tickSize: formatMicro(market.tick),
    status,
    untradableReason: market.untradable,
    winner: winner === null ? null : market.outcomes[winner].name,
    chance: mark,
    change: status === "open" ? computeChange(before.get(market.id), { mark, outcome: 0 }) : null,
    spread: bid === null || ask === null ? null : subtract(ask, bid),
    outcomes: market.outcomes.map(({ name, tokenId }, index) => ({
      name,
      tokenId,
      ask: asks[index] ?? null,
    })),
  };
}
