// Search for markets outside of the catalogue, which has the most traded events.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { setClock } from "@/lib/clock";
import { MarketHeader } from "@/lib/schemas/market-pages";
import { MarketList } from "@/lib/schemas/markets";
import { browseMarkets, type BrowseQuery } from "@/lib/markets/browse-markets";
import { findMarketPage } from "@/lib/markets/get-market-page";
import { listEventMarketIds } from "@/lib/markets/event-groups";
import { setWatched } from "@/lib/markets/watchlist";
import { place, read } from "@/tests/support/api/client";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { type LiveMarket, useLiveBooks } from "@/tests/support/polymarket/live-books";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import { makeUser, type TestUser } from "@/tests/support/users";

const venue = useLiveBooks();
useFreshDatabase();

const MINUTE = 60_000;
let at = Date.UTC(2026, 2, 10, 12);
let restore = () => {};
let user: TestUser;
let listed: LiveMarket;

beforeAll(async () => {
  restore = setClock(() => at);
  user = await makeUser();
});
afterAll(() => restore());
beforeEach(() => {
  at += 10 * MINUTE;
  listed = venue.add({ asks: [{ price: "0.50", size: "500" }] });
});

const ALL: BrowseQuery = {
  search: "",
  category: null,
  status: null,
  sort: "popular",
  isWatchlist: false,
  eventSlug: null,
  limit: 10,
};

interface RecordedSearch {
  events: { slug: string; markets: { conditionId: string }[] }[];
}
const recorded = readRecorded<RecordedSearch>("gamma/public_search_2026.json");
const recordedIds = recorded.events.flatMap(({ markets }) =>
  markets.map(({ conditionId }) => conditionId),
);

/** Responses of the venue's search and event list, with counters of the requests. */
function answerSearches(answer: unknown): { asked: URLSearchParams[] } {
  const asked: URLSearchParams[] = [];
  venue.on("/gamma/public-search", ({ query }) => {
    asked.push(query);
    return answer;
  });
  return { asked };
}

const search = async (text: string) => {
  const path = `/v1/markets?limit=1000&search=${encodeURIComponent(text)}`;
  return (await read(MarketList, path, user.apiKey)).markets;
};

it("a search finds unlisted markets with the venue's search (recorded response)", async () => {
  const { asked } = answerSearches(recorded);
  const found = await search("Bitcoin above");
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ id }) => recordedIds.includes(id))).toBe(true);
  expect(found.every(({ title }) => /bitcoin/i.test(title))).toBe(true);
  expect(asked.map((query) => query.get("q"))).toEqual(["Bitcoin above"]);
});

it("a search queries the venue once a minute per text, and never without a text or with enough listed hits", async () => {
  const { asked } = answerSearches({ events: [] });
  expect(await search("nothing like it")).toEqual([]);
  expect(await search("Nothing like it ")).toEqual([]);
  expect(asked).toHaveLength(1);
  at += 2 * MINUTE;
  await search("nothing like it");
  expect(asked).toHaveLength(2);
  for (let count = 0; count < 10; count += 1) venue.add();
  at += 10 * MINUTE;
  expect((await search("Live question")).length).toBeGreaterThanOrEqual(10);
  await read(MarketList, "/v1/markets", user.apiKey);
  expect(asked).toHaveLength(2);
});

it.each([
  ["returns an error", () => ({ error: "no" })],
  ["finds nothing", () => ({ events: null })],
  ["returns an invalid response", () => ({ events: [{ slug: 7 }, null, { markets: [{}] }] })],
])("a search covers the catalogue only if the venue's search %s", async (_, answer) => {
  answerSearches(answer());
  expect((await search(`${listed.slug.replaceAll("-", " ")} question`)).length).toBe(0);
  expect((await search("Live question")).map(({ id }) => id)).toContain(listed.id);
});

it("a market found by search is found again by its event and can be traded", async () => {
  const hidden = venue.add({ asks: [{ price: "0.40", size: "500" }] });
  const wire = venue.unlist(hidden, "A hidden question about quokkas?");
  const event = { slug: "quokkas", title: "Quokkas", tags: [], markets: [wire] };
  answerSearches({ events: [event] });
  venue.on("/gamma/events", ({ query }) => (query.get("slug") === "quokkas" ? [event] : []));
  expect((await search("quokkas")).map(({ id }) => id)).toEqual([hidden.id]);
  const browse = await browseMarkets(user.principal, { ...ALL, eventSlug: "quokkas" });
  expect(browse.groups.flatMap(({ marketIds }) => marketIds)).toEqual([hidden.id]);
  const order = { tokenId: hidden.first, action: "BUY", orderType: "market", shares: 10 };
  expect(await place(user.apiKey, order)).toMatchObject({ status: "filled" });
});

it("the header of a live market's page has the venue's figures in the page's form", async () => {
  const page = await findMarketPage(user.principal, listed.slug, undefined);
  if (!page) throw new Error("the market is listed");
  expect(page.market.figures).not.toBeNull();
  const { volume, liquidity } = z.encode(MarketHeader, page.header);
  const figures = {
    volume: page.market.figures?.volume,
    liquidity: page.market.figures?.liquidity,
  };
  expect({ volume: page.header.volume, liquidity: page.header.liquidity }).toEqual(figures);
  expect([volume, liquidity].every((figure) => figure === null || figure >= 0)).toBe(true);
});

it("an unlisted event shows all its markets on their pages and on the watchlist", async () => {
  const pair = [venue.add(), venue.add()] as const;
  const slug = "wombats";
  const own = [{ slug, title: "Wombats" }];
  const wires = pair.map((market, index) =>
    Object.assign(venue.unlist(market, `Will wombat ${index} win?`), { events: own }),
  );
  const event = { slug, title: "Wombats", tags: [], markets: wires };
  venue.on("/gamma/events", ({ query }) => (query.get("slug") === slug ? [event] : []));

  const page = await findMarketPage(user.principal, pair[0].slug, undefined);
  const slugs = page?.header.event.map((line) => line.slug);
  expect(slugs?.toSorted()).toEqual(pair.map((market) => market.slug).toSorted());

  const ids = pair.map(({ id }) => id);
  expect(await listEventMarketIds(user.principal, slug)).toEqual(ids);
  await setWatched(user.principal, ids, true);
  const { groups } = await browseMarkets(user.principal, { ...ALL, isWatchlist: true });
  expect(groups.map(({ marketIds, isWatched }) => [marketIds, isWatched])).toEqual([[ids, true]]);
});
