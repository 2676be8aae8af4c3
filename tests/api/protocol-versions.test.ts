// Polymarket's markets of other protocol versions, for paper trading with live books.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { MarketDetail, MarketList, OrderBook, PriceHistory } from "@/lib/schemas/markets";
import { Balance, Portfolio } from "@/lib/schemas/account";
import { OpenOrders } from "@/lib/schemas/orders";
import { toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
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
const NOT_LISTED = "Polymarket hasn't listed this market's token ids yet.";
const COMBO = "This is a combo of several markets. Polymarket has no order book for it.";
const CONTRADICTION = /under one protocol version and trades it under another/;
const OTHER_IDS = /token ids of another protocol version/;
const UNKNOWN = /protocol version that Ante doesn't know/;

/** Two ids of Conditional Tokens, as a market of Protocol V2 may still list them. */
const CLOB_TOKENS = JSON.stringify([readTokenId("left over/0"), readTokenId("left over/1")]);
/** Replaces the module of a position id. */
const toModule = (module: bigint) => (id: string) =>
  ((BigInt(id) & ((1n << 248n) - 1n)) | (module << 248n)).toString();

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

describe("a market of Protocol V2", () => {
  it.each([
    ["whose CLOB tokens are null", { clobTokenIds: null }],
    ["that still lists CLOB tokens", { clobTokenIds: CLOB_TOKENS }],
  ])("%s trades by its position ids only", async (_what, wire) => {
    const market = venue.add({ ...LEVELS, isV2: true, wire });
    const { markets } = await read(MarketList, "/v1/markets?limit=1000", user.apiKey);
    const listed = markets.find(({ id }) => id === market.id);
    expect(listed?.outcomes.map(({ tokenId }) => tokenId)).toEqual([market.first, market.second]);
    const detail = await read(MarketDetail, `/v1/markets/${market.id}`, user.apiKey);
    expect(detail).toMatchObject({ status: "open", untradableReason: null });
    expect(detail.outcomes[0]?.bestAsk).toBe(500_000n);
    for (const tokenId of [market.first, market.second]) {
      const order = await placeAndRead(user.apiKey, orderFor(tokenId));
      expect([order.marketId, order.tokenId]).toEqual([market.id, tokenId]);
    }
    for (const tokenId of JSON.parse(CLOB_TOKENS) as string[]) {
      const unknown = await post("/v1/orders", orderFor(tokenId));
      expect([unknown.status, readError(unknown).code]).toEqual([404, "MARKET_NOT_FOUND"]);
    }
  });

  it("is found by either parameter of the venue's lists", async () => {
    const market = venue.add({ ...LEVELS, isV2: true });
    const listed = venue.unlist(market, "Unlisted?");
    venue.on("/gamma/markets", ({ query }) =>
      query.getAll("clob_token_ids").includes(market.first) && query.get("closed") === "false"
        ? [listed]
        : [],
    );
    const order = await placeAndRead(user.apiKey, orderFor(market.first));
    expect(order.marketId).toBe(market.id);
  });

  const [first, second] = readPositionIds("wrong");
  const shift = (id: string, by: bigint) => (BigInt(id) + by).toString();
  it.each<[string, Record<string, unknown>, string | RegExp]>([
    ["no position ids yet", { positionIds: null }, NOT_LISTED],
    ["CLOB tokens only", { positionIds: undefined, clobTokenIds: CLOB_TOKENS }, NOT_LISTED],
    ["position ids as JSON text", { positionIds: JSON.stringify([first, second]) }, NOT_LISTED],
    ["position ids as numbers", { positionIds: [Number(first), Number(second)] }, NOT_LISTED],
    ["position ids in hex", { positionIds: ["0x01", "0x02"] }, NOT_LISTED],
    ["one position id", { positionIds: [first] }, NOT_LISTED],
    ["three position ids", { positionIds: [first, second, shift(second, 1n)] }, NOT_LISTED],
    ["the same position id twice", { positionIds: [first, first] }, NOT_LISTED],
    ["position ids in the wrong order", { positionIds: [second, first] }, OTHER_IDS],
    ["CLOB tokens for position ids", { positionIds: JSON.parse(CLOB_TOKENS) }, OTHER_IDS],
    ["positions of two conditions", { positionIds: [first, shift(second, 256n)] }, OTHER_IDS],
    ["another market's positions", { positionIds: readPositionIds("another") }, OTHER_IDS],
    ["a module that doesn't exist", { positionIds: [first, second].map(toModule(4n)) }, OTHER_IDS],
    ["a combo's positions", { positionIds: [first, second].map(toModule(3n)) }, COMBO],
  ])("with %s takes no orders", async (_what, wire, reason) => {
    const conditionId = toPositionConditionId(first).slice(0, -2);
    const market = venue.add({
      ...LEVELS,
      wire: { version: "v2", conditionId, positionIds: [first, second], ...wire },
    });
    const detail = await read(MarketDetail, `/v1/markets/${market.slug}`, user.apiKey);
    expect(detail.status).toBe("closed");
    expect(detail.untradableReason).toMatch(reason);
    // The ids may not name the market at all; in no case do they trade.
    const ids = [first, second, ...((wire["positionIds"] ?? []) as unknown[]), market.first];
    for (const tokenId of new Set(ids.map(String).filter((id) => /^\d+$/.test(id)))) {
      const answer = await post("/v1/orders", orderFor(tokenId));
      expect([400, 404], `${tokenId} ${answer.text}`).toContain(answer.status);
    }
  });

  it("is shown even before its tokens are known", async () => {
    const added = venue.add({ ...LEVELS, wire: { version: "v2", clobTokenIds: null } });
    const detail = await read(MarketDetail, `/v1/markets/${added.id}`, user.apiKey);
    expect(detail.untradableReason).toBe(NOT_LISTED);
    expect(detail.outcomes.map(({ tokenId }) => tokenId)).toEqual(["", ""]);
    const unknown = await post("/v1/orders", orderFor(readPositionIds("elsewhere")[0]));
    expect([unknown.status, readError(unknown).code]).toEqual([404, "MARKET_NOT_FOUND"]);
  });
});

describe("a market whose exchange reports another version than its listing", () => {
  it.each([
    ["v1 that trades as v2", { wire: { version: "v1" }, rules: { v: "v2" } }, CONTRADICTION],
    ["v2 that trades as v1", { isV2: true, rules: { v: "v1" } }, CONTRADICTION],
    ["v2 that trades as v3", { isV2: true, rules: { v: "v3" } }, UNKNOWN],
    ["v2 that trades as 2", { isV2: true, rules: { v: 2 } }, UNKNOWN],
  ])("takes no orders: %s", async (_what, options, reason) => {
    const market = venue.add({ ...LEVELS, ...options });
    await expectNoOrder(market.first, reason);
  });

  it.each([
    [false, "v2"],
    [true, "v1"],
    [true, null],
  ])("does not accept a book of another version (V2: %s, book: %s)", async (isV2, version) => {
    const market = venue.add({ ...LEVELS, isV2 });
    venue.on("/clob/book", () => ({ asset_id: market.first, ...LEVELS, version }));
    const answer = await callApi("GET", `/v1/markets/${market.id}/book`, { key: user.apiKey });
    expect([answer.status, readError(answer).code]).toEqual([502, "UPSTREAM_BAD_RESPONSE"]);
  });
});

describe("twins of one question under two protocols", () => {
  const question = "Do twins share a title?";

  it("are two markets that trade by their own ids and are told apart by name", async () => {
    // Each lists the tokens of the other one, too.
    const twin = venue.add({ ...LEVELS, isV2: true, wire: { question } });
    const first = venue.add({
      ...LEVELS,
      wire: { version: "v1", question, positionIds: [twin.first, twin.second] },
      rules: { v: "v1" },
    });
    venue.unlist(twin, question)["clobTokenIds"] = JSON.stringify([first.first, first.second]);
    for (const { id, first: tokenId } of [first, twin]) {
      const order = await placeAndRead(user.apiKey, { ...orderFor(tokenId), price: 0.5 });
      expect([order.marketId, order.tokenId]).toEqual([id, tokenId]);
    }
    const { positions } = await read(Portfolio, "/v1/positions", user.apiKey);
    expect(
      positions
        .filter(({ id }) => [first.first, twin.first].includes(id))
        .map(({ conditionId, marketTitle, shares }) => [conditionId, marketTitle, shares])
        .toSorted(),
    ).toEqual(
      [
        [first.id, question, 10_000_000n],
        [twin.id, `${question} (V2)`, 10_000_000n],
      ].toSorted(),
    );
  });

  it("are both listed with their versions and can be watched", async () => {
    const one = venue.add({ ...LEVELS, wire: { version: "v1", question } });
    const two = venue.add({ ...LEVELS, isV2: true, wire: { question, positionIds: null } });
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
    expect(findLine(two.id)).toMatchObject({ status: "closed", untradableReason: NOT_LISTED });
    const watched = await browseMarkets(user.principal, { ...query, ...lists, isWatchlist: true });
    expect(watched.groups.map(({ marketIds }) => marketIds)).toEqual([[two.id]]);
    const page = await findMarketPage(user.principal, one.slug, undefined);
    const line = page?.header.event.find(({ slug }) => slug === two.slug);
    expect(line).toMatchObject({ status: "closed", untradableReason: NOT_LISTED });
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
