import {
  ClobClient,
  Chain,
  OrderType,
  PriceHistoryInterval,
  Side,
} from "@polymarket/clob-client-v2";
import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  preparedDataDir,
  type Product,
  startProduct,
  until,
} from "@/tests/support/product/product";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
  type SandboxTrader,
} from "@/tests/support/sandbox/client";

cleanUpAfterwards();

let product: Product;
let host: string;
let market: SandboxMarket;
let tokenID: string;
let open: ClobClient;
let trader: SandboxTrader;

beforeAll(async () => {
  product = await startProduct({ dataDir: preparedDataDir() });
  host = `http://127.0.0.1:${product.port}/sandbox/clob`;
  const [first] = await sandboxMarkets(host);
  if (!first) throw new Error("no market is open");
  market = first;
  tokenID = market.tokens[0]?.token_id ?? "";
  open = new ClobClient({ host, chain: Chain.POLYGON, throwOnError: true });
  trader = await makeSandboxTrader(host, 3);
});

const get = async (path: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${host}${path}`);
  return { status: response.status, body: await response.json() };
};

describe("every read of the official client (polymarket.md 13.1)", () => {
  it("describes the service", async () => {
    expect(await open.getOk()).toBe("OK");
    expect(await open.getVersion()).toBe(2);
    expect(Math.abs((await open.getServerTime()) - Date.now() / 1000)).toBeLessThan(5);
  });

  it("describes a token's market", async () => {
    expect(await open.getTickSize(tokenID)).toBe("0.01");
    expect(await open.getNegRisk(tokenID)).toBe(market.neg_risk);
    expect((await get(`/fee-rate?token_id=${tokenID}`)).body).toEqual({ base_fee: 0 });
    expect((await get(`/markets-by-token/${tokenID}`)).body).toEqual({
      condition_id: market.condition_id,
      primary_token_id: tokenID,
      secondary_token_id: market.tokens[1]?.token_id,
    });
    expect(await open.getMarket(market.condition_id)).toMatchObject({
      market_slug: expect.any(String),
    });
    expect(await open.getClobMarketInfo(market.condition_id)).toMatchObject({
      c: market.condition_id,
    });
    const simplified = (await get("/simplified-markets")).body as { data: object[] };
    expect(Object.keys(simplified.data[0] ?? {}).toSorted()).toEqual([
      "accepting_orders",
      "active",
      "archived",
      "closed",
      "condition_id",
      "rewards",
      "tokens",
    ]);
    for (const path of ["/sampling-markets", "/sampling-simplified-markets"]) {
      const { data } = (await get(path)).body as { data: { accepting_orders: boolean }[] };
      expect(data.length).toBeGreaterThan(10);
      expect(data.every(({ accepting_orders }) => accepting_orders)).toBe(true);
    }
  });

  it("returns the same quotes one by one and in bulk", async () => {
    const params = [
      { token_id: tokenID, side: Side.BUY },
      { token_id: tokenID, side: Side.SELL },
    ];
    const readBest = async () => {
      const { bids, asks } = await open.getOrderBook(tokenID);
      return [bids.at(-1)?.price, asks.at(-1)?.price];
    };
    // The quotes move every few seconds, also between two reads.
    const read = await until("the quotes stay the same during the reads", async () => {
      const best = await readBest();
      const found = {
        best,
        price: await open.getPrice(tokenID, Side.BUY),
        prices: await open.getPrices(params),
        midpoint: await open.getMidpoint(tokenID),
        midpoints: await open.getMidpoints(params),
        spread: await open.getSpread(tokenID),
        spreads: await open.getSpreads(params),
      };
      return String(await readBest()) === String(best) && found;
    });
    const [bid, ask] = read.best;
    expect(read.price).toEqual({ price: bid });
    expect(read.prices).toEqual({ [tokenID]: { BUY: bid, SELL: ask } });
    const { mid } = read.midpoint;
    expect(Number(mid)).toBeCloseTo((Number(bid) + Number(ask)) / 2, 6);
    expect(read.midpoints).toEqual({ [tokenID]: mid });
    const { spread } = read.spread;
    expect(Number(spread)).toBeCloseTo(Number(ask) - Number(bid), 6);
    expect(read.spreads).toEqual({ [tokenID]: spread });
    expect(await open.getOrderBooks(params)).toHaveLength(2);
    const interval = PriceHistoryInterval.ONE_HOUR;
    const history = await open.getPricesHistory({ market: tokenID, interval });
    expect(Object.keys(history)).toEqual(["history"]);
  });

  it("returns the last trade once there is one", async () => {
    const untraded = market.tokens[1]?.token_id ?? "";
    const tokens = [tokenID, untraded].map((token_id) => ({ token_id, side: Side.BUY }));
    expect(await open.getLastTradePrice(tokenID)).toEqual({ price: "0.5", side: "" });
    expect(await open.getOrderBook(tokenID)).toMatchObject({ last_trade_price: "" });
    expect(await open.getLastTradesPrices(tokens)).toEqual([]);
    const { client } = trader;
    await client.createAndPostMarketOrder(
      { tokenID, amount: 10, side: Side.BUY },
      { tickSize: "0.01" },
      OrderType.FAK,
    );
    const [trade] = await client.getTrades();
    const price = Number(trade?.price);
    expect(await open.getLastTradePrice(tokenID)).toEqual({ price: trade?.price, side: "BUY" });
    expect(await open.getLastTradesPrices(tokens)).toEqual([
      { token_id: tokenID, price: trade?.price, side: "BUY" },
      { token_id: untraded, price: String(Math.round((1 - price) * 1e6) / 1e6), side: "SELL" },
    ]);
    const { last_trade_price } = await open.getOrderBook(tokenID);
    expect(last_trade_price).toBe(price.toFixed(3));
    expect(await open.getMarketTradesEvents(market.condition_id)).toMatchObject([
      {
        event_type: "trade",
        market: { condition_id: market.condition_id, asset_id: tokenID },
        user: { address: trader.funder.toLowerCase() },
        side: "BUY",
        price: trade?.price,
        outcome_index: 0,
      },
    ]);
  });

  it("describes an account: ban, scoring, notifications, trades by time and wallet", async () => {
    const { client, funder } = trader;
    expect(await client.getClosedOnlyMode()).toEqual({ closed_only: false });
    const [trade] = await client.getTrades();
    const orderId = trade?.taker_order_id ?? "";
    expect(await client.isOrderScoring({ order_id: orderId })).toEqual({ scoring: false });
    expect(await client.areOrdersScoring({ orderIds: [orderId] })).toEqual({ [orderId]: false });
    const [notification] = await client.getNotifications();
    expect(notification).toMatchObject({ type: 2, payload: { order_id: orderId } });
    expect(await client.getTrades({ maker_address: funder })).toHaveLength(1);
    expect(await client.getTrades({ maker_address: `0x${"1".repeat(40)}` })).toEqual([]);
    const now = Math.floor(Date.now() / 1000);
    expect(await client.getTrades({ after: String(now + 60) })).toEqual([]);
    expect(await client.getTrades({ before: String(now + 60) })).toHaveLength(1);
  });

  it("lists no rewards and no orders from before a migration", async () => {
    const { client } = trader;
    expect(await client.getCurrentRewards()).toEqual([]);
    expect(await client.getRawRewardsForMarket(market.condition_id)).toEqual([]);
    expect(await client.getEarningsForUserForDay("2026-11-21")).toEqual([]);
    expect(await client.getTotalEarningsForUserForDay("2026-11-21")).toEqual([]);
    expect(await client.getUserEarningsAndMarketsConfig("2026-11-21")).toEqual([]);
    expect(await client.getRewardPercentages()).toEqual({});
    expect(await client.getPreMigrationOrders()).toEqual([]);
  });

  it("reports missing objects in the venue's words", async () => {
    expect(await get("/tick-size?token_id=x")).toEqual({
      status: 400,
      body: { error: "Invalid token id" },
    });
    const missing = { error: "No orderbook exists for the requested token id" };
    for (const path of ["/book?", "/midpoint?", "/spread?", "/price?side=BUY&"]) {
      expect(await get(`${path}token_id=12`)).toEqual({ status: 404, body: missing });
    }
    expect(await get("/tick-size?token_id=12")).toEqual({
      status: 404,
      body: { error: "market not found" },
    });
    expect(await get("/markets/0x1")).toEqual({ status: 400, body: { error: "Invalid market" } });
    expect(await get("/order-scoring?order_id=0x1")).toMatchObject({ status: 401 });
  });
});

describe("the Data API and the relayer beside it", () => {
  const data = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${product.port}/sandbox/${path}`);
    return { status: response.status, body: await response.json() };
  };

  it("serves both versions with their own errors", async () => {
    const user = `user=${trader.funder}`;
    const [position] = (await data(`data/positions?${user}`)).body as { asset: string }[];
    expect(position?.asset).toBe(tokenID);
    expect((await data(`data/value?${user}`)).body).toHaveLength(1);
    expect((await data(`data/closed-positions?${user}`)).body).toEqual([]);
    expect((await data(`data/activity?${user}&type=TRADE`)).body).toHaveLength(1);
    expect((await data(`data/trades?${user}`)).body).toHaveLength(1);
    expect((await data(`data/traded?${user}`)).body).toMatchObject({ traded: 1 });
    expect(await data(`data/v2/positions?${user}`)).toMatchObject({
      body: { data: [{ token_id: tokenID }], pagination: { has_more: false } },
    });
    expect(await data(`data/v2/value?${user}`)).toMatchObject({ status: 200 });
    expect(await data(`data/v2/user-stats?${user}`)).toMatchObject({
      body: { data: { trades: 1 } },
    });
    expect(await data(`data/v2/positions?${user}&offset=1`)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", retryable: false, parameter: "offset" },
    });
    expect(await data("data/positions")).toMatchObject({ status: 400 });
  });

  it("pages through markets and events by cursor, each exactly once", async () => {
    for (const [kind, limit] of [
      ["markets", 100],
      ["events", 60],
    ] as const) {
      const slugs: string[] = [];
      let cursor: string | undefined = "";
      while (cursor !== undefined) {
        const { body } = await data(`gamma/${kind}/keyset?limit=${limit}&after_cursor=${cursor}`);
        slugs.push(...body[kind].map(({ slug }: { slug: string }) => slug));
        cursor = body.next_cursor;
      }
      expect(slugs.length).toBeGreaterThan(limit);
      expect(new Set(slugs).size).toBe(slugs.length);
    }
    expect((await data("gamma/markets/keyset?offset=5")).status).toBe(422);
    const [event] = (await data("gamma/events?limit=1")).body;
    expect((await data(`gamma/events?slug=${event.slug}`)).body).toMatchObject([{ id: event.id }]);
    expect((await data(`gamma/events?id=${event.id}`)).body).toMatchObject([{ slug: event.slug }]);
  });

  it("lists only the markets that match a filter", async () => {
    const [one] = (await data("gamma/markets?limit=1")).body;
    expect((await data(`gamma/markets?id=${one.id}`)).body).toMatchObject([{ id: one.id }]);
    for (const name of ["condition_ids", "question_ids"]) {
      const { body } = await data(`gamma/markets?${name}=${one.conditionId}`);
      expect(body).toMatchObject([{ slug: one.slug }]);
    }
    expect(await data(`gamma/markets/${one.id}`)).toEqual({ status: 200, body: one });
    const [parent] = one.events;
    expect((await data(`gamma/events/${parent.id}`)).body).toMatchObject(parent);
    for (const kind of ["markets", "events"]) {
      expect(await data(`gamma/${kind}/1`)).toEqual({
        status: 404,
        body: { error: "id not found" },
      });
      expect((await data(`gamma/${kind}/one`)).status).toBe(422);
    }
    expect((await data("gamma/markets?id=1")).body).toEqual([]);
    expect((await data("gamma/events?id=1")).body).toEqual([]);

    const all: { endDate: string }[] = (await data("gamma/markets?limit=100")).body;
    const ends = all.map(({ endDate }) => endDate).toSorted();
    const middle = ends[50] ?? "";
    const before = (await data(`gamma/markets?limit=100&end_date_max=${middle}`)).body;
    const after = (await data(`gamma/markets?limit=100&end_date_min=${middle}`)).body;
    expect(before.length).toBeGreaterThan(0);
    expect(before.every(({ endDate }: { endDate: string }) => endDate <= middle)).toBe(true);
    expect(after.every(({ endDate }: { endDate: string }) => endDate >= middle)).toBe(true);
    expect((await data("gamma/markets?end_date_min=soon")).status).toBe(422);

    const tags: { id: string; slug: string }[] = (await data("gamma/tags")).body;
    for (const { id, slug } of tags) {
      for (const filter of [`tag_id=${id}`, `tag_slug=${slug}`]) {
        const events: { tags: object[] }[] = (await data(`gamma/events?limit=100&${filter}`)).body;
        expect(events.length).toBeGreaterThan(0);
        for (const event of events) expect(event.tags).toMatchObject([{ id, slug }]);
      }
    }
    expect((await data("gamma/events?tag_id=none")).body).toEqual([]);
  });

  it("returns nothing for a name with NUL", async () => {
    expect(await data("data/trades?market=%00")).toMatchObject({ status: 200 });
  });

  it("reports which deposit wallets are deployed", async () => {
    const deployed = (address: string) => data(`relayer/deployed?address=${address}&type=WALLET`);
    expect((await deployed(trader.funder)).body).toEqual({ deployed: true });
    expect((await deployed(`0x${"1".repeat(40)}`)).body).toEqual({ deployed: false });
    expect(await deployed("x")).toMatchObject({ status: 400 });
  });
});
