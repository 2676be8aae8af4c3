import { beforeAll, describe, expect, it } from "vitest";
import { MarketDetail, MarketList, OrderBook, PriceHistory } from "@/lib/schemas/markets";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, read } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  readQuotes,
  SECOND_MS,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { databaseState, expectRefusal } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

const clock = useExchange();

let key: string;
let markets: TestMarkets;

beforeAll(async () => {
  key = (await makeUser()).apiKey;
  markets = await loadMarkets(key);
});

const book = (id: string, query = "") => read(OrderBook, `/v1/markets/${id}/book${query}`, key);
const history = (id: string, query = "") =>
  read(PriceHistory, `/v1/markets/${id}/history${query}`, key);

describe("200: the book", () => {
  it("has bids and asks on the tick, best first, and its best prices are the market's", async () => {
    for (const market of [markets.free, markets.taxed, markets.fine, markets.short]) {
      const { bids, asks, ...rest } = await book(market.id);
      expect(rest).toEqual({
        marketId: market.id,
        tokenId: market.outcomes[0].tokenId,
        tickSize: market.tickSize,
        at: new Date(clock.now()),
      });
      const prices = [bids, asks].map((levels) => levels.map((level) => level.price));
      const [bidPrices = [], askPrices = []] = prices;
      expect(bidPrices).toEqual(bidPrices.toSorted((a, b) => (a > b ? -1 : 1)));
      expect(askPrices).toEqual(askPrices.toSorted((a, b) => (a < b ? -1 : 1)));
      expect(new Set(askPrices).size).toBe(askPrices.length);
      expect([bidPrices[0], askPrices[0]]).toEqual(Object.values(readQuotes(market)));
      for (const { price, shares } of [...bids, ...asks]) {
        expect(price % readTick(market)).toBe(0n);
        expect(shares).toBeGreaterThan(0n);
        expect(shares % 10_000n).toBe(0n);
      }
    }
  });

  it("the second token's book mirrors the first one's", async () => {
    const { taxed } = markets;
    const [first, second] = taxed.outcomes;
    const yes = await book(taxed.id, `?tokenId=${first.tokenId}`);
    const no = await book(taxed.id, `?tokenId=${second.tokenId}`);
    const mirror = (levels: typeof yes.bids) =>
      levels.map(({ price, shares }) => ({ price: 1_000_000n - price, shares }));
    expect(no.tokenId).toBe(second.tokenId);
    expect(no.bids).toEqual(mirror(yes.asks));
    expect(no.asks).toEqual(mirror(yes.bids));
  });

  it("is found by slug and by id", async () => {
    expect(await book(markets.free.slug)).toEqual(await book(markets.free.id));
  });

  it("adds users' orders to the house's quotes of the same price, until they are canceled", async () => {
    const { free } = markets;
    const before = await book(free.id);
    const { bid } = readQuotes(free);
    const second = free.outcomes[1].tokenId;
    await place(key, orderFor(free, { price: microToNumber(bid), shares: 7 }));
    // An ask for the second token at 1 - price is a bid for the first one.
    const other = await makeUser();
    await place(other.apiKey, orderFor(free, { orderType: "market", tokenId: second, shares: 9 }));
    const taken = await book(free.id);
    const price = microToNumber(1_000_000n - bid);
    const sell = { tokenId: second, action: "SELL", price, shares: 9 };
    await place(other.apiKey, orderFor(free, sell));
    const [best] = (await book(free.id)).bids;
    expect(best).toEqual({ price: bid, shares: (taken.bids[0]?.shares ?? 0n) + 9_000_000n });
    expect(taken.bids[0]?.shares).toBe((before.bids[0]?.shares ?? 0n) + 7_000_000n - 9_000_000n);
    await callApi("DELETE", "/v1/orders", { key });
    await callApi("DELETE", "/v1/orders", { key: other.apiKey });
  });

  it("a closed market's book is empty", async () => {
    const { short } = markets;
    const trader = await makeUser();
    await place(trader.apiKey, orderFor(short, { shares: 10 }));
    const backThen = clock.now();
    clock.advance(short.closesAt.getTime() - backThen);
    const { asks } = await book(short.id);
    expect(asks).toEqual([]);
    clock.advance(backThen - clock.now());
  });

  it("reading writes nothing", async () => {
    const before = await databaseState();
    await book(markets.taxed.id);
    await history(markets.taxed.id);
    expect(await databaseState()).toEqual(before);
  });
});

describe("200: the history", () => {
  it.each([
    ["1h", 60],
    ["6h", 360],
    ["1d", 1_440],
    ["1w", 10_080],
    ["1m", 43_200],
  ])(
    "an interval of %s ends now and has evenly spaced points in order",
    async (interval, minutes) => {
      const { points, marketId, tokenId } = await history(
        markets.taxed.id,
        `?interval=${interval}`,
      );
      expect({ marketId, tokenId }).toEqual({
        marketId: markets.taxed.id,
        tokenId: markets.taxed.outcomes[0].tokenId,
      });
      const times = points.map((point) => point.at.getTime());
      const step = (times[1] ?? 0) - (times[0] ?? 0);
      expect(times).toEqual(times.map((_time, index) => (times[0] ?? 0) + index * step));
      expect(times[0]).toBe(clock.now() - minutes * MINUTE_MS);
      expect(times.at(-1)).toBeLessThanOrEqual(clock.now());
      expect(clock.now() - (times.at(-1) ?? 0)).toBeLessThan(step);
      expect(points.length).toBeGreaterThan(100);
      expect(points.length).toBeLessThanOrEqual(241);
      for (const { price } of points) {
        expect(price).toBeGreaterThan(0n);
        expect(price).toBeLessThan(1_000_000n);
      }
    },
  );

  it("covers one day by default, and max reaches back to the opening", async () => {
    expect(await history(markets.taxed.id)).toEqual(
      await history(markets.taxed.id, "?interval=1d"),
    );
    const { points } = await history(markets.taxed.id, "?interval=max");
    expect(points[0]?.at).toEqual(markets.taxed.opensAt);
  });

  it("a market that is younger than the interval has points from its opening on", async () => {
    const { points } = await history(markets.short.id, "?interval=1d");
    expect(points[0]?.at).toEqual(markets.short.opensAt);
    const steps = points.slice(1).map((point, index) => {
      return point.at.getTime() - (points[index]?.at.getTime() ?? 0);
    });
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(5 * SECOND_MS);
  });

  it("the second token's history mirrors the first one's", async () => {
    const { taxed } = markets;
    const [first, second] = taxed.outcomes;
    const yes = await history(taxed.id, `?tokenId=${first.tokenId}&interval=1h`);
    const no = await history(taxed.id, `?tokenId=${second.tokenId}&interval=1h`);
    expect(no.points.map((point) => 1_000_000n - point.price)).toEqual(
      yes.points.map((point) => point.price),
    );
  });

  it.each(["1h", "1d", "1w"])("an interval of %s ends at the market's price", async (interval) => {
    const { id } = markets.taxed;
    const { outcomes } = await read(MarketDetail, `/v1/markets/${id}`, key);
    for (const { tokenId, price } of outcomes) {
      const { points } = await history(id, `?tokenId=${tokenId}&interval=${interval}`);
      expect(points.at(-1)).toEqual({ at: new Date(clock.now()), price });
    }
  });

  it("prices of past instants never change", async () => {
    const before = (await history(markets.taxed.id, "?interval=max")).points;
    clock.advance(1);
    const after = (await history(markets.taxed.id, "?interval=max")).points;
    clock.advance(-1);
    expect(after[0]).toEqual(before[0]);
  });

  it("ends at the close", async () => {
    const { markets: resolved } = await read(
      MarketList,
      "/v1/markets?status=resolved&limit=1",
      key,
    );
    const [market] = resolved;
    const { points } = await history(market?.id ?? "", "?interval=max");
    expect(points.at(-1)?.at.getTime()).toBeLessThanOrEqual(market?.closesAt.getTime() ?? 0);
    expect(points.length).toBeGreaterThan(10);
  });
});

describe("400", () => {
  it.each([
    ["book?tokenId=", "tokenId"],
    ["book?tokenId=1&tokenId=2", "tokenId"],
    ["history?tokenId=", "tokenId"],
    ["history?interval=2h", "interval"],
    ["history?interval=", "interval"],
    ["history?interval=MAX", "interval"],
    ["history?interval=1h&interval=1d", "interval"],
  ])("%s is rejected with the parameter's name", async (path, name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/markets/${markets.free.id}/${path}`, { key }),
    );
  });
});

describe("404", () => {
  it.each(["book", "history"])("an unknown market has no %s", async (what) => {
    for (const id of ["x", "%00", `0x${"0".repeat(64)}`]) {
      await expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
        callApi("GET", `/v1/markets/${id}/${what}`, { key }),
      );
    }
  });

  it.each(["book", "history"])("a token of another market has no %s here", async (what) => {
    for (const tokenId of ["1", "%00", markets.taxed.outcomes[0].tokenId]) {
      await expectRefusal({ code: "MARKET_NOT_FOUND", message: "token" }, () =>
        callApi("GET", `/v1/markets/${markets.free.id}/${what}?tokenId=${tokenId}`, { key }),
      );
    }
  });
});
