import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { bookPriceOf } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { MarketBrowse, MarketGroup, MarketLine } from "@/lib/schemas/market-pages";
import { changeSince, pricesDayAgo } from "@/lib/services/markets/day-change";
import {
  type EventGroup,
  groupByEvent,
  type Ranking,
  sortGroups,
} from "@/lib/services/markets/event-groups";
import { searchVenue } from "@/lib/services/markets/market-search";
import { listWatched } from "@/lib/services/watchlist/list-watched";
import { formatMicro, type Price, subtract } from "@/lib/units";
import { venueOf } from "@/lib/venue";
import type { Market, MarketSource, MarketStatus, Venue } from "@/lib/venue/port";

export interface BrowseQuery {
  search: string;
  category: string | null;
  /** Null for every status. */
  status: MarketStatus | null;
  sort: Ranking;
  /** Only what the user watches. */
  isWatchlist: boolean;
  /** The markets of one event, each in a row of its own. */
  eventSlug: string | null;
  /** Rows to show. */
  limit: number;
}

/** How many markets of an event its row shows. */
const SHOWN_PER_EVENT = 2;

/** The markets page: events that match, with what their likeliest markets cost now. */
export async function browseMarkets(
  principal: Principal,
  query: BrowseQuery,
): Promise<z.output<typeof MarketBrowse>> {
  const venue = venueOf(principal.mode);
  const [listed, watched] = await Promise.all([venue.listMarkets(), listWatched(principal.userId)]);
  const candidates = query.isWatchlist ? await withWatched(venue, listed, watched) : listed;
  const { search, eventSlug } = query;
  const isWanted = (market: Market) =>
    (query.status === null || venue.getState(market).status === query.status) &&
    (query.category === null || market.category === query.category) &&
    (eventSlug === null || market.eventSlug === eventSlug) &&
    (!query.isWatchlist || watched.has(market.id));
  const hits = await searchVenue(venue, candidates, { search, eventSlug, isWanted });
  const matching = hits.map(({ market }) => market);
  const groups = await sortGroups(
    venue,
    query.eventSlug === null ? groupByEvent(matching) : matching.map((one) => single(one)),
    { by: query.sort, ranks: new Map(hits.map(({ market, rank }) => [market.id, rank])) },
  );
  const shown = groups.slice(0, query.limit);
  const markets = shown.flatMap((group) => group.markets);
  const [quotes, before] = await Promise.all([
    venue.getQuotes(markets),
    pricesDayAgo(venue, markets),
  ]);
  return {
    groups: shown.map((group) => toGroup(venue, group, { quotes, before, watched })),
    total: groups.length,
    categories: [...new Set(listed.map((market) => market.category))].toSorted(),
  };
}

/** The events that are usually looked at first, for a search that found nothing. */
export async function popularMarkets(
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

/** Polymarket lists what is traded most, and people watch other markets too. */
async function withWatched(
  venue: Venue,
  listed: readonly Market[],
  watched: ReadonlySet<string>,
): Promise<readonly Market[]> {
  const known = new Set(listed.map(({ id }) => id));
  const others = await venue.getMarkets([...watched].filter((id) => !known.has(id)));
  return [...listed, ...others.values()];
}

function single(market: Market): EventGroup {
  return { eventSlug: market.eventSlug, markets: [market] };
}

interface Known {
  quotes: ReadonlyMap<string, Quote>;
  /** What the first tokens cost a day ago. */
  before: ReadonlyMap<string, Price>;
  watched: ReadonlySet<string>;
}

function toGroup(
  venue: MarketSource,
  { eventSlug, markets }: EventGroup,
  known: Known,
): z.output<typeof MarketGroup> {
  const [first] = markets;
  assert(first, "a group holds a market");
  const lines = markets
    .map((market) => toLine(venue, market, known))
    .toSorted((a, b) => (a.chance === b.chance ? 0 : a.chance > b.chance ? -1 : 1));
  const shown = lines.slice(0, SHOWN_PER_EVENT);
  return {
    eventSlug,
    title: markets.length === 1 ? first.title : first.eventTitle,
    category: first.category,
    icon: `/icons/${first.icon}`,
    status: venue.getState(first).status,
    closesAt: new Date(first.closesAt),
    isWatched: markets.some((market) => known.watched.has(market.id)),
    marketIds: markets.map((market) => market.id),
    markets: shown,
    hidden: lines.length - shown.length,
  };
}

function toLine(
  venue: MarketSource,
  market: Market,
  { quotes, before }: Known,
): z.output<typeof MarketLine> {
  const quote = quotes.get(market.id);
  assert(quote, "every market is quoted");
  const { status, winner } = venue.getState(market);
  const { bid, ask, mark } = quote;
  const asks = [ask, bid === null ? null : bookPriceOf(1, bid)] as const;
  return {
    id: market.id,
    slug: market.slug,
    title: market.title,
    label: market.label,
    tickSize: formatMicro(market.tick),
    status,
    winner: winner === null ? null : market.outcomes[winner].name,
    chance: mark,
    change: status === "open" ? changeSince(before.get(market.id), { mark, outcome: 0 }) : null,
    spread: bid === null || ask === null ? null : subtract(ask, bid),
    outcomes: market.outcomes.map(({ name, tokenId }, index) => ({
      name,
      tokenId,
      ask: asks[index] ?? null,
    })),
  };
}
