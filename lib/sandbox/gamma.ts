import "server-only";
import { bookPriceOf } from "@/lib/domain/settlement";
import { SandboxError } from "@/lib/sandbox/error";
import { numberOf } from "@/lib/sandbox/open-route";
import { pricesDayAgo } from "@/lib/services/markets/day-change";
import { formatMicro, microToNumber } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const MAX_LIMIT = 100;
const MAX_EVENTS = 500;
const MAX_NAMED = 100;

/** `GET /markets`: closed ones are invisible unless asked for, as at the venue. */
export async function listGammaMarkets(query: URLSearchParams) {
  const found = await filterMarkets(query);
  const page = slice(found, query);
  return toGammaMarkets(page);
}

/** `GET /markets/keyset`: the same by cursor. */
export async function listGammaMarketsByCursor(query: URLSearchParams) {
  const { rows, nextCursor } = afterCursor(await filterMarkets(query), query, MAX_LIMIT);
  return { markets: await toGammaMarkets(rows), next_cursor: nextCursor };
}

/** `GET /markets/slug/{slug}`. */
export async function getGammaMarket(slug: string) {
  const market = await paperExchange().findMarket(slug);
  if (!market) throw new SandboxError(404, "slug not found");
  const [view] = await toGammaMarkets([market]);
  return view;
}

/** `GET /events`, with each event's markets inside. */
export async function listGammaEvents(query: URLSearchParams) {
  const groups = await filterEvents(query);
  return Promise.all(slice(groups, query).map(toEvent));
}

/** `GET /events/keyset`: the same by cursor. */
export async function listGammaEventsByCursor(query: URLSearchParams) {
  const { rows, nextCursor } = afterCursor(await filterEvents(query), query, MAX_EVENTS);
  return { events: await Promise.all(rows.map(toEvent)), next_cursor: nextCursor };
}

/** The markets of each event that is asked for. */
async function filterEvents(query: URLSearchParams): Promise<Market[][]> {
  const [slugs, ids] = [query.getAll("slug"), query.getAll("id")];
  const groups = new Map<string, Market[]>();
  for (const market of await filterMarkets(withoutNames(query))) {
    if (slugs.length > 0 && !slugs.includes(market.eventSlug)) continue;
    if (ids.length > 0 && !ids.includes(eventIdOf(market))) continue;
    groups.set(market.eventSlug, [...(groups.get(market.eventSlug) ?? []), market]);
  }
  return [...groups.values()];
}

/** Among events a slug or an id names an event, not a market. */
function withoutNames(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete("slug");
  rest.delete("id");
  return rest;
}

/** `GET /events/slug/{slug}`. */
export async function getGammaEvent(slug: string) {
  const listed = await paperExchange().listMarkets();
  const markets = listed.filter(({ eventSlug }) => eventSlug === slug);
  if (markets.length === 0) throw new SandboxError(404, "slug not found");
  return toEvent(markets);
}

/** `GET /public-search`: events whose titles, or whose markets' titles, hold the words. */
export async function searchGamma(query: URLSearchParams) {
  const words = (query.get("q") ?? "").toLowerCase();
  if (words === "") throw new SandboxError(400, "q is required");
  const limit = numberOf(query, "limit_per_type", { fallback: 10, max: 50 });
  const listed = await paperExchange().listMarkets();
  const hits = listed.filter(({ title, eventTitle }) =>
    `${title} ${eventTitle}`.toLowerCase().includes(words),
  );
  const slugs = [...new Set(hits.map(({ eventSlug }) => eventSlug))];
  const events = await Promise.all(
    slugs
      .slice(0, limit)
      .map((slug) => toEvent(listed.filter(({ eventSlug }) => eventSlug === slug))),
  );
  const pagination = { hasMore: slugs.length > limit, totalResults: slugs.length };
  return { events, tags: [], profiles: [], pagination };
}

/** `GET /tags`: the categories. */
export async function listTags() {
  const listed = await paperExchange().listMarkets();
  const labels = [...new Set(listed.map(({ category }) => category))].toSorted();
  return labels.map((label, index) => ({
    id: String(index + 1),
    label,
    slug: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
  }));
}

async function filterMarkets(query: URLSearchParams): Promise<Market[]> {
  const venue = paperExchange();
  const isClosed = query.get("closed") === "true";
  const isWanted = await wantedBy(query);
  const candidates =
    (await namedMarkets(query)) ?? (await venue.listMarkets()).toSorted(orderOf(query));
  return candidates.filter(
    (market) => isWanted(market) && (venue.getState(market).status !== "open") === isClosed,
  );
}

/** The markets that a query names by what finds one; null when it names none. */
async function namedMarkets(query: URLSearchParams): Promise<Market[] | null> {
  const venue = paperExchange();
  const ids = ["condition_ids", "question_ids", "slug"].flatMap((name) => query.getAll(name));
  const tokens = query.getAll("clob_token_ids");
  const count = ids.length + tokens.length;
  if (count > MAX_NAMED) throw new SandboxError(400, `at most ${MAX_NAMED} ids at once`);
  const named = await Promise.all([
    ...ids.map((id) => venue.findMarket(id)),
    ...tokens.map(async (id) => (await venue.findMarketByToken(id))?.market ?? null),
  ]);
  return count === 0 ? null : named.filter((market) => market !== null);
}

/** What else a query asks of a market: its number, its tag, when it begins and ends. */
async function wantedBy(query: URLSearchParams): Promise<(market: Market) => boolean> {
  const numbers = query.getAll("id");
  const labels = await labelsOf(query);
  const [opensFrom, opensTo] = [timeOf(query, "start_date_min"), timeOf(query, "start_date_max")];
  const [endsFrom, endsTo] = [timeOf(query, "end_date_min"), timeOf(query, "end_date_max")];
  return ({ id, category, opensAt, closesAt }) =>
    (numbers.length === 0 || numbers.includes(numericId(id))) &&
    (labels === null || labels.includes(category)) &&
    opensAt >= (opensFrom ?? opensAt) &&
    opensAt <= (opensTo ?? opensAt) &&
    closesAt >= (endsFrom ?? closesAt) &&
    closesAt <= (endsTo ?? closesAt);
}

/** The categories that a query's tags stand for; null when it names no tag. */
async function labelsOf(query: URLSearchParams): Promise<string[] | null> {
  const [ids, slugs] = [query.getAll("tag_id"), query.getAll("tag_slug")];
  if (ids.length + slugs.length === 0) return null;
  const tags = await listTags();
  return tags
    .filter(({ id, slug }) => ids.includes(id) || slugs.includes(slug))
    .map(({ label }) => label);
}

/** An instant that a query names, in milliseconds; null when it names none. Throws 422. */
function timeOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new SandboxError(422, `invalid ${name}`);
  return at;
}

/** Nobody outside trades here: by any volume, the markets come as the exchange ranks them. */
function orderOf(query: URLSearchParams): (a: Market, b: Market) => number {
  if (!query.get("order")?.startsWith("volume")) return () => 0;
  const direction = query.get("ascending") === "true" ? 1 : -1;
  return (a, b) => (a.popularity - b.popularity) * direction;
}

function slice<T>(rows: readonly T[], query: URLSearchParams): T[] {
  const limit = numberOf(query, "limit", { fallback: 20, max: MAX_LIMIT });
  const offset = numberOf(query, "offset", { fallback: 0, max: 1_000_000 });
  return rows.slice(offset, offset + limit);
}

/** One page behind a cursor: base64url of an offset. An offset by itself is refused. */
function afterCursor<T>(rows: readonly T[], query: URLSearchParams, max: number) {
  if (query.has("offset")) throw new SandboxError(422, "offset is not supported, use after_cursor");
  const limit = numberOf(query, "limit", { fallback: 20, max });
  const text = Buffer.from(query.get("after_cursor") ?? "", "base64url").toString("utf8");
  if (!/^\d{0,9}$/.test(text)) throw new SandboxError(422, "invalid after_cursor");
  const from = Number(text);
  const page = rows.slice(from, from + limit);
  const next = from + page.length;
  const hasMore = page.length > 0 && next < rows.length;
  const nextCursor = hasMore ? Buffer.from(String(next)).toString("base64url") : undefined;
  return { rows: page, nextCursor };
}

async function toEvent(markets: readonly Market[]) {
  const [first] = markets;
  if (!first) throw new SandboxError(404, "event not found");
  const isClosed = markets.every((market) => paperExchange().getState(market).status !== "open");
  return {
    id: eventIdOf(first),
    slug: first.eventSlug,
    title: first.eventTitle,
    startDate: new Date(first.opensAt).toISOString(),
    endDate: new Date(first.closesAt).toISOString(),
    active: true,
    closed: isClosed,
    negRisk: first.isNegRisk,
    negRiskAugmented: false,
    markets: await toGammaMarkets(markets),
    tags: (await listTags()).filter(({ label }) => label === first.category),
  };
}

async function toGammaMarkets(markets: readonly Market[]) {
  const venue = paperExchange();
  const [quotes, before] = await Promise.all([
    venue.getQuotes(markets),
    pricesDayAgo(venue, markets),
  ]);
  return markets.map((market) => {
    const quote = quotes.get(market.id);
    const { status, winner } = venue.getState(market);
    const mark = quote?.mark ?? 0n;
    const dayAgo = before.get(market.id);
    const prices = ([0, 1] as const).map((outcome) =>
      quote ? formatMicro(bookPriceOf(outcome, quote.mark)) : "0",
    );
    return {
      id: numericId(market.id),
      question: market.title,
      conditionId: market.id,
      questionID: market.id,
      slug: market.slug,
      icon: "",
      image: "",
      description: market.rules,
      resolutionSource: market.resolutionSource,
      startDate: new Date(market.opensAt).toISOString(),
      endDate: new Date(market.closesAt).toISOString(),
      endDateIso: new Date(market.closesAt).toISOString().slice(0, 10),
      active: true,
      closed: status !== "open",
      archived: false,
      acceptingOrders: status === "open",
      enableOrderBook: true,
      restricted: false,
      negRisk: market.isNegRisk,
      // Arrays go over the wire as JSON text here.
      outcomes: JSON.stringify(market.outcomes.map(({ name }) => name)),
      outcomePrices: JSON.stringify(prices),
      clobTokenIds: JSON.stringify(market.outcomes.map(({ tokenId }) => tokenId)),
      orderPriceMinTickSize: microToNumber(market.tick),
      orderMinSize: microToNumber(market.minOrderShares),
      bestBid: numberOrZero(quote?.bid),
      bestAsk: numberOrZero(quote?.ask),
      lastTradePrice: microToNumber(mark),
      oneDayPriceChange: dayAgo === undefined ? null : microToNumber(mark - dayAgo),
      feesEnabled: market.feeRate > 0n,
      feeSchedule: {
        rate: microToNumber(market.feeRate),
        exponent: 1,
        takerOnly: true,
        rebateRate: 0,
      },
      marketMakerAddress: "",
      umaResolutionStatus: winner === null ? null : "resolved",
      groupItemTitle: market.label ?? "",
      events: [{ id: eventIdOf(market), slug: market.eventSlug, title: market.eventTitle }],
    };
  });
}

const numberOrZero = (micro: bigint | null | undefined) => microToNumber(micro ?? 0n);

/** The id of a market's event. */
export const eventIdOf = ({ eventSlug }: Pick<Market, "eventSlug">) => numericId(eventSlug);

/** The venue's ids are numbers; ours are made from the name. */
export function numericId(name: string): string {
  let id = 0n;
  for (const byte of Buffer.from(name)) id = (id * 131n + BigInt(byte)) % 1_000_000_007n;
  return id.toString();
}
