// Polymarket's markets of other protocol versions, for paper trading with live books.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { MarketDetail, MarketList, OrderBook, PriceHistory } from "@/lib/schemas/markets";
import { Balance } from "@/lib/schemas/account";
import { OpenOrders } from "@/lib/schemas/orders";
import { browseMarkets } from "@/lib/markets/browse-markets";
import { findMarketPage } from "@/lib/markets/get-market-page";
import { setWatched } from "@/lib/markets/watchlist";
import { callApi } from "@/tests/support/api/call-api";
import { readError, placeAndRead, read } from "@/tests/support/api/client";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useLiveBooks } from "@/tests/support/polymarket/live-books";
import { readPositionIds, readTokenId } from "@/tests/support/polymarket/recorded-data";
import { makeUser, type TestUser } from "@/tests/support/users";

const MINUTE = 60_000;
const venue = useLiveBooks();
useFreshDatabase();
let at = Date.UTC(2026, 10, 21, 12);
let restore = () => {};
let user: TestUser;
beforeAll(async () => {
  restore = setClock(() => at);
  user = await makeUser();
});
// Expires everything that a former test has cached.
beforeEach(() => {
  at += 10 * MINUTE;
});
afterAll(() => restore());

const LEVELS = {
  bids: [{ price: "0.48", size: "30" }],
  asks: [{ price: "0.50", size: "20" }],
};
const V2_REASON = "This market uses Polymarket's Protocol V2, which Ante can't trade yet.";
const OTHER_IDS = /token ids of another protocol version/;
const UNKNOWN = /protocol version that Ante doesn't know/;

const orderFor = (tokenId: string) => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: 0.45,
  shares: 10,
});
const post = (path: string, body: unknown) => callApi("POST", path, { key: user.apiKey, body });
const cash = async () => (await read(Balance, "/v1/account/balance", user.apiKey)).balanceUsdc;

/** Asserts that preview and placement return 400 with the reason and record nothing. */
async function expectNoOrder(tokenId: string, reason: string | RegExp): Promise<void> {
  const before = await cash();
  for (const path of ["/v1/orders/preview", "/v1/orders"]) {
    const answer = await post(path, orderFor(tokenId));
    const error = readError(answer);
    expect(answer.status, path).toBe(400);
    expect(error.code).toBe("MARKET_CLOSED");
    expect(error.message).toMatch(reason);
  }
  expect(await cash()).toBe(before);
  const { orders } = await read(OpenOrders, `/v1/orders/open?assetId=${tokenId}`, user.apiKey);
  expect(orders).toEqual([]);
}

/** Name, the market's fields in Gamma, and the reason. */
const CASES: [string, Record<string, unknown>, string | RegExp][] = [
  ["v2 that still lists CLOB tokens", { version: "v2" }, V2_REASON],
  ["an unknown version", { version: "v3" }, UNKNOWN],
  ["a version in upper case", { version: "V1" }, UNKNOWN],
  ["a version that is null", { version: null }, UNKNOWN],
  ["a version that is a number", { version: 2 }, UNKNOWN],
  ["an empty version", { version: "" }, UNKNOWN],
  [
    "v1 with position ids for CLOB tokens",
    { version: "v1", clobTokenIds: JSON.stringify(readPositionIds("inconsistent")) },
    OTHER_IDS,
  ],
  [
    "no version with one position id for a CLOB token",
    { clobTokenIds: JSON.stringify([readTokenId("fine"), readPositionIds("half")[1]]) },
    OTHER_IDS,
  ],
];

describe.each(CASES)("a market of %s", (_name, wire, reason) => {
  it("is shown with the reason and takes no orders", async () => {
    const market = venue.add({ ...LEVELS, wire });
    const tokens = JSON.parse(
      String(wire["clobTokenIds"] ?? JSON.stringify([market.first, market.second])),
    ) as string[];
    for (const name of [market.id, market.slug]) {
      const detail = await read(MarketDetail, `/v1/markets/${name}`, user.apiKey);
      expect(detail).toMatchObject({ id: market.id, status: "closed" });
      expect(detail.untradableReason).toMatch(reason);
      expect(detail.outcomes.map(({ tokenId }) => tokenId)).toEqual(tokens);
      for (const { bestBid, bestAsk } of detail.outcomes)
        expect([bestBid, bestAsk]).toEqual([null, null]);
    }
    for (const tokenId of tokens) await expectNoOrder(tokenId, reason);
  });

  it("is not priced: its book and prices are not requested", async () => {
    const market = venue.add({ ...LEVELS, wire });
    const path = `/v1/markets/${market.id}`;
    const book = await read(OrderBook, `${path}/book`, user.apiKey);
    expect([book.bids, book.asks]).toEqual([[], []]);
    const { points } = await read(PriceHistory, `${path}/history?interval=1d`, user.apiKey);
    expect(points).toEqual([]);
    await read(MarketList, "/v1/markets?status=closed&limit=1000", user.apiKey);
    const asked = ["/clob/book", "/clob/books", "/clob/prices-history"].flatMap((one) =>
      venue.listRequests(one).map(({ query, body }) => `${query.toString()}${body}`),
    );
    expect(asked.filter((text) => text.includes(market.first))).toEqual([]);
  });
});

describe("a market of Protocol V2 without CLOB tokens", () => {
  const positions = readPositionIds("canary");
  const shortId = `0x${BigInt(positions[0]).toString(16).padStart(64, "0").slice(0, 62)}`;
  const wire = { version: "v2", conditionId: shortId, clobTokenIds: null, positionIds: positions };

  it("is found by both lengths of its condition id and by its position ids", async () => {
    venue.add({ ...LEVELS, wire });
    const { markets } = await read(MarketList, "/v1/markets?status=closed", user.apiKey);
    const listed = markets.find(({ id }) => id === `${shortId}00`);
    expect(listed?.outcomes.map(({ tokenId }) => tokenId)).toEqual(positions);
    const detail = await read(MarketDetail, `/v1/markets/${shortId}00`, user.apiKey);
    expect(detail.untradableReason).toBe(V2_REASON);
    for (const tokenId of positions) await expectNoOrder(tokenId, V2_REASON);
  });

  it("is shown even before its tokens are known", async () => {
    const added = venue.add({ ...LEVELS, wire: { version: "v2", clobTokenIds: null } });
    const detail = await read(MarketDetail, `/v1/markets/${added.id}`, user.apiKey);
    expect(detail.untradableReason).toBe(V2_REASON);
    expect(detail.outcomes.map(({ tokenId }) => tokenId)).toEqual(["", ""]);
    const unknown = await post("/v1/orders", orderFor(readPositionIds("elsewhere")[0]));
    expect([unknown.status, readError(unknown).code]).toEqual([404, "MARKET_NOT_FOUND"]);
  });
});

describe("a market whose exchange reports another version than its listing", () => {
  it("takes no orders", async () => {
    const market = venue.add({ ...LEVELS, wire: { version: "v1" }, rules: { v: "v2" } });
    await expectNoOrder(market.first, V2_REASON);
  });

  it("does not accept a book of another version", async () => {
    const market = venue.add({ ...LEVELS, wire: { version: "v1" } });
    venue.on("/clob/book", () => ({ asset_id: market.first, ...LEVELS, version: "v2" }));
    const answer = await callApi("GET", `/v1/markets/${market.id}/book`, { key: user.apiKey });
    expect([answer.status, readError(answer).code]).toEqual([502, "UPSTREAM_BAD_RESPONSE"]);
  });
});

describe("twins of one question under two protocols", () => {
  const question = "Do twins share a title?";
  const positions = readPositionIds("twin");

  it("are two markets, of which only the V1 market trades", async () => {
    const first = venue.add({
      ...LEVELS,
      wire: { version: "v1", question, positionIds: positions },
      rules: { v: "v1" },
    });
    // The twin also lists the CLOB tokens of the market that it mirrors.
    const clobTokenIds = JSON.stringify([first.first, first.second]);
    const twin = venue.add({
      ...LEVELS,
      wire: { version: "v2", question, clobTokenIds, positionIds: positions },
    });
    const order = await placeAndRead(user.apiKey, orderFor(first.first));
    expect(order.marketId).toBe(first.id);
    await expectNoOrder(positions[0], V2_REASON);
    const found = await read(MarketDetail, `/v1/markets/${twin.slug}`, user.apiKey);
    expect(found.outcomes.map(({ tokenId }) => tokenId)).toEqual(positions);
    const search = encodeURIComponent(question);
    const { markets } = await read(MarketList, `/v1/markets?search=${search}`, user.apiKey);
    expect(markets.map(({ id }) => id)).toEqual([first.id]);
  });

  it("are both listed with their versions and can be watched", async () => {
    const one = venue.add({ ...LEVELS, wire: { version: "v1", question } });
    const two = venue.add({ ...LEVELS, wire: { version: "v2", question } });
    await setWatched(user.principal, [two.id], true);
    const query = { search: question, category: null, status: "open" as const, limit: 50 };
    const lists = { sort: "popular" as const, eventSlug: "event" };
    const { groups } = await browseMarkets(user.principal, {
      ...query,
      ...lists,
      isWatchlist: false,
    });
    const findLine = (id: string) =>
      groups.flatMap(({ markets }) => markets).find((line) => line.id === id);
    expect(findLine(one.id)).toMatchObject({ status: "open", untradableReason: null });
    expect(findLine(two.id)).toMatchObject({ status: "closed", untradableReason: V2_REASON });
    const watched = await browseMarkets(user.principal, { ...query, ...lists, isWatchlist: true });
    expect(watched.groups.map(({ marketIds }) => marketIds)).toEqual([[two.id]]);
    const page = await findMarketPage(user.principal, one.slug, undefined);
    const line = page?.header.event.find(({ slug }) => slug === two.slug);
    expect(line).toMatchObject({ status: "closed", untradableReason: V2_REASON });
  });
});

describe("a market of Protocol V1", () => {
  it.each([
    ["with the version v1", { version: "v1" }, { v: "v1" }],
    ["without any version", {}, {}],
    [
      "that carries the position ids of a twin",
      { version: "v1", positionIds: readPositionIds("x") },
      {},
    ],
  ])("%s takes orders", async (_name, wire, rules) => {
    const market = venue.add({ ...LEVELS, wire, rules });
    const order = await placeAndRead(user.apiKey, orderFor(market.first));
    expect(order.status).toBe("open");
    const detail = await read(MarketDetail, `/v1/markets/${market.id}`, user.apiKey);
    expect(detail).toMatchObject({ status: "open", untradableReason: null });
  });
});
