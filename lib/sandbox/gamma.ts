import "server-only";
import { toBookPrice } from "@/lib/domain/settlement";
import { SandboxError } from "@/lib/sandbox/error";
import { nameVersion } from "@/lib/sandbox/markets";
import { readNumber } from "@/lib/sandbox/parameters";
import { getPricesDayAgo } from "@/lib/markets/day-change";
import { formatMicro, microToNumber } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const MAX_LIMIT = 100;
const MAX_EVENTS = 500;
const MAX_NAMED = 100;

/** Serves `GET /markets`. Lists closed markets only on request, as the venue does. */
export async function listGammaMarkets(query: URLSearchParams) {
  const found = await filterMarkets(query);
  const page = slice(found, query);
  return toGammaMarkets(page);
}

/** Serves `GET /markets/keyset`: the same by cursor. */
export async function listGammaMarketsByCursor(query: URLSearchParams) {
  const { rows, nextCursor } = cutCursorPage(await filterMarkets(query), query, MAX_LIMIT);
  return { markets: await toGammaMarkets(rows), next_cursor: nextCursor };
}

/** Serves `GET /markets/slug/{slug}`. */
export async function getGammaMarket(slug: string) {
  const market = await paperExchange().findMarket(slug);
  if (!market) throw new SandboxError(404, "slug not found");
  const [view] = await toGammaMarkets([market]);
  return view;
}

/** Serves `GET /markets/{id}`: a listed market by its numeric id, open or closed. */
export async function getGammaMarketById(id: string) {
  assertNumericId(id);
  const listed = await paperExchange().listMarkets();
  const market = listed.find((candidate) => toNumericId(candidate.id) === id);
  if (!market) throw new SandboxError(404, "id not found");
  const [view] = await toGammaMarkets([market]);
  return view;
}

/** Serves `GET /events/{id}`: an event with a listed market, by its numeric id. */
export async function getGammaEventById(id: string) {
  assertNumericId(id);
  const listed = await paperExchange().listMarkets();
  const markets = listed.filter((market) => toEventId(market) === id);
  if (markets.length === 0) throw new SandboxError(404, "id not found");
  return toEvent(markets);
}

function assertNumericId(id: string): void {
  if (!/^\d{1,18}$/.test(id)) throw new SandboxError(422, "id is invalid");
}

/** Serves `GET /events`. Each event contains its markets. */
export async function listGammaEvents(query: URLSearchParams) {
  const groups = await filterEvents(query);
  return Promise.all(slice(groups, query).map(toEvent));
}

/** Serves `GET /events/keyset`: the same by cursor. */
export async function listGammaEventsByCursor(query: URLSearchParams) {
  const { rows, nextCursor } = cutCursorPage(await filterEvents(query), query, MAX_EVENTS);
  return { events: await Promise.all(rows.map(toEvent)), next_cursor: nextCursor };
}

/** Groups the markets that match a query by event. */
async function filterEvents(query: URLSearchParams): Promise<Market[][]> {
  const [slugs, ids] = [query.getAll("slug"), query.getAll("id")];
  const groups = new Map<string, Market[]>();
  for (const market of await filterMarkets(withoutNames(query))) {
    if (slugs.length > 0 && !slugs.includes(market.eventSlug)) continue;
    if (ids.length > 0 && !ids.includes(toEventId(market))) continue;
    groups.set(market.eventSlug, [...(groups.get(market.eventSlug) ?? []), market]);
  }
  return [...groups.values()];
}

/** Removes `slug` and `id`, which name events here, not markets. */
function withoutNames(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete("slug");
  rest.delete("id");
  return rest;
}

/** Serves `GET /events/slug/{slug}`. */
export async function getGammaEvent(slug: string) {
  const listed = await paperExchange().listMarkets();
  const markets = listed.filter(({ eventSlug }) => eventSlug === slug);
  if (markets.length === 0) throw new SandboxError(404, "slug not found");
  return toEvent(markets);
}

/** Serves `GET /public-search`: events with the text in their title or in a market's title. */
export async function searchGamma(query: URLSearchParams) {
  const words = (query.get("q") ?? "").toLowerCase();
  if (words === "") throw new SandboxError(400, "q is required");
  const limit = readNumber(query, "limit_per_type", { fallback: 10, max: 50 });
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

/** Serves `GET /tags`: the categories. */
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
  const isWanted = await buildMarketFilter(query);
  const candidates =
    (await findNamedMarkets(query)) ?? (await venue.listMarkets()).toSorted(buildComparator(query));
  return candidates.filter(
    (market) => isWanted(market) && (venue.getState(market).status !== "open") === isClosed,
  );
}

/** Finds the markets that a query names by condition, slug or token; null when it names none. */
async function findNamedMarkets(query: URLSearchParams): Promise<Market[] | null> {
  const venue = paperExchange();
  const ids = ["condition_ids", "question_ids", "slug"].flatMap((name) => query.getAll(name));
  const tokens = ["clob_token_ids", "position_ids"].flatMap((name) => query.getAll(name));
  const count = ids.length + tokens.length;
  if (count > MAX_NAMED) throw new SandboxError(400, `at most ${MAX_NAMED} ids at once`);
  const named = await Promise.all([
    ...ids.map((id) => venue.findMarket(padConditionId(id))),
    ...tokens.map(async (id) => (await venue.findMarketByToken(id))?.market ?? null),
  ]);
  return count === 0 ? null : named.filter((market) => market !== null);
}

/** Pads the 62 digits with which Gamma lists a condition of Protocol V2. Other names stay. */
const padConditionId = (id: string) => (/^0x[0-9a-f]{62}$/.test(id) ? `${id}00` : id);

/** Builds the filter by numeric id, tag, start and end. */
async function buildMarketFilter(query: URLSearchParams): Promise<(market: Market) => boolean> {
  const numbers = query.getAll("id");
  const labels = await readLabels(query);
  const [opensFrom, opensTo] = [
    readTime(query, "start_date_min"),
    readTime(query, "start_date_max"),
  ];
  const [endsFrom, endsTo] = [readTime(query, "end_date_min"), readTime(query, "end_date_max")];
  return ({ id, category, opensAt, closesAt }) =>
    (numbers.length === 0 || numbers.includes(toNumericId(id))) &&
    (labels === null || labels.includes(category)) &&
    opensAt >= (opensFrom ?? opensAt) &&
    opensAt <= (opensTo ?? opensAt) &&
    closesAt >= (endsFrom ?? closesAt) &&
    closesAt <= (endsTo ?? closesAt);
}

/** Reads the categories that a query's tags stand for; null when it names no tag. */
async function readLabels(query: URLSearchParams): Promise<string[] | null> {
  const [ids, slugs] = [query.getAll("tag_id"), query.getAll("tag_slug")];
  if (ids.length + slugs.length === 0) return null;
  const tags = await listTags();
  return tags
    .filter(({ id, slug }) => ids.includes(id) || slugs.includes(slug))
    .map(({ label }) => label);
}

/** Reads an instant, in milliseconds; null when it is missing. Throws 422. */
function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new SandboxError(422, `invalid ${name}`);
  return at;
}

/** Orders by popularity for any volume, because the sandbox has no outside volume. */
function buildComparator(query: URLSearchParams): (a: Market, b: Market) => number {
  if (!query.get("order")?.startsWith("volume")) return () => 0;
  const direction = query.get("ascending") === "true" ? 1 : -1;
  return (a, b) => (a.popularity - b.popularity) * direction;
}

function slice<T>(rows: readonly T[], query: URLSearchParams): T[] {
  const limit = readNumber(query, "limit", { fallback: 20, max: MAX_LIMIT });
  const offset = readNumber(query, "offset", { fallback: 0, max: 1_000_000 });
  return rows.slice(offset, offset + limit);
}

/** Cuts the page after a cursor, which is base64url of an offset. Throws 422 for an explicit offset. */
function cutCursorPage<T>(rows: readonly T[], query: URLSearchParams, max: number) {
  if (query.has("offset")) throw new SandboxError(422, "offset is not supported, use after_cursor");
  const limit = readNumber(query, "limit", { fallback: 20, max });
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
    id: toEventId(first),
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
  const [quotes, pricesBefore] = await Promise.all([
    venue.getQuotes(markets),
    getPricesDayAgo(venue, markets),
  ]);
  return markets.map((market) => {
    const quote = quotes.get(market.id);
    const { status, winner } = venue.getState(market);
    const mark = quote?.mark ?? 0n;
    const dayAgo = pricesBefore.get(market.id);
    const prices = ([0, 1] as const).map((outcome) =>
      quote ? formatMicro(toBookPrice(outcome, quote.mark)) : "0",
    );
    return {
      id: toNumericId(market.id),
      question: market.title,
      ...listIds(market),
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
      // Gamma sends arrays as JSON text.
      outcomes: JSON.stringify(market.outcomes.map(({ name }) => name)),
      outcomePrices: JSON.stringify(prices),
      orderPriceMinTickSize: microToNumber(market.tick),
      orderMinSize: microToNumber(market.minOrderShares),
      bestBid: toNumberOrZero(quote?.bid),
      bestAsk: toNumberOrZero(quote?.ask),
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
      events: [{ id: toEventId(market), slug: market.eventSlug, title: market.eventTitle }],
    };
  });
}

/** Lists a market's ids as its protocol does (polymarket-protocol-v2.md 3.2 and 4). */
function listIds(market: Market) {
  const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
  const version = nameVersion(market);
  if (version !== "v2") {
    return { version, conditionId: market.id, clobTokenIds: JSON.stringify(tokenIds) };
  }
  const isResolved = paperExchange().getState(market).status === "resolved";
  return {
    version,
    conditionId: market.id.slice(0, -2),
    clobTokenIds: null,
    positionIds: tokenIds,
    resolutionStatus: isResolved ? "resolved" : "active",
  };
}

const toNumberOrZero = (micro: bigint | null | undefined) => microToNumber(micro ?? 0n);

/** Returns the numeric id of a market's event. */
export const toEventId = ({ eventSlug }: Pick<Market, "eventSlug">) => toNumericId(eventSlug);

/** Derives a numeric id from a name, because the venue's ids are numbers. */
export function toNumericId(name: string): string {
  let id = 0n;
  for (const byte of Buffer.from(name)) id = (id * 131n + BigInt(byte)) % 1_000_000_007n;
  return id.toString();
}
