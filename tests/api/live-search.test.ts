// Searching Polymarket beyond the events that are listed because they are traded most.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { MarketList } from "@/lib/schemas/markets";
import { browseMarkets, type BrowseQuery } from "@/lib/services/markets/browse-markets";
import { findMarketPage } from "@/lib/services/markets/get-market-page";
import { marketIdsOf } from "@/lib/services/markets/market-ids-of";
import { setWatched } from "@/lib/services/watchlist/set-watched";
import { place, read } from "@/tests/support/api-client";
import { useFreshDatabase } from "@/tests/support/database";
import { type LiveMarket, useLiveBooks } from "@/tests/support/live-books";
import { readRecorded } from "@/tests/support/polymarket-data";
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

/** What the venue's own search and its list of events answer, and how often they were asked. */
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

it("finds what only the venue's own search knows, as the recorded one answered it", async () => {
  const { asked } = answerSearches(recorded);
  const found = await search("Bitcoin above");
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ id }) => recordedIds.includes(id))).toBe(true);
  expect(found.every(({ title }) => /bitcoin/i.test(title))).toBe(true);
  expect(asked.map((query) => query.get("q"))).toEqual(["Bitcoin above"]);
});

it("asks once a minute for the same words, and not at all without words or for many hits", async () => {
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
  ["is an error", () => ({ error: "no" })],
  ["finds nothing", () => ({ events: null })],
  ["is of another form", () => ({ events: [{ slug: 7 }, null, { markets: [{}] }] })],
])("is a search of what is listed when the venue's %s", async (_, answer) => {
  answerSearches(answer());
  expect((await search(`${listed.slug.replaceAll("-", " ")} question`)).length).toBe(0);
  expect((await search("Live question")).map(({ id }) => id)).toContain(listed.id);
});

it("finds what was found again by its event, and it trades like any other", async () => {
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

it("an event that is not listed has all its markets: on the page of each, and on the watchlist", async () => {
  const pair = [venue.add(), venue.add()] as const;
  const slug = "wombats";
  const own = [{ slug, title: "Wombats" }];
  const wires = pair.map((market, index) =>
    Object.assign(venue.unlist(market, `Will wombat ${index} win?`), { events: own }),
  );
  const event = { slug, title: "Wombats", tags: [], markets: wires };
  venue.on("/gamma/events", ({ query }) => (query.get("slug") === slug ? [event] : []));

  const page = await findMarketPage(user.principal, pair[0].slug, undefined);
  expect(page?.header.siblings.map((sibling) => sibling.slug)).toEqual([pair[1].slug]);

  const ids = pair.map(({ id }) => id);
  expect(await marketIdsOf(user.principal, slug)).toEqual(ids);
  await setWatched(user.principal, ids, true);
  const { groups } = await browseMarkets(user.principal, { ...ALL, isWatchlist: true });
  expect(groups.map(({ marketIds, isWatched }) => [marketIds, isWatched])).toEqual([[ids, true]]);
});
