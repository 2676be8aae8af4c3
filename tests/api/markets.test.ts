import { beforeAll, describe, expect, it } from "vitest";
import { MarketDetail, MarketList } from "@/lib/schemas/markets";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, read } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  readQuotes,
  SECOND_MS,
  type TestMarket,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { itRefusesBadCursors } from "@/tests/support/api/paged-lists";
import { databaseState, expectRefusal } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

const clock = useExchange();

let key: string;
let markets: TestMarkets;

beforeAll(async () => {
  key = (await makeUser()).apiKey;
  markets = await loadMarkets(key);
});

const list = (query = "") => read(MarketList, `/v1/markets${query}`, key);
const detail = (id: string) => read(MarketDetail, `/v1/markets/${encodeURIComponent(id)}`, key);
const ids = (of: readonly TestMarket[]) => of.map((market) => market.id);

describe("200: the list", () => {
  it("has at least 200 markets of 60 events in eight categories, with every tick", () => {
    const { all } = markets;
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(new Set(all.map((market) => market.eventSlug)).size).toBeGreaterThanOrEqual(60);
    expect(new Set(all.map((market) => market.category)).size).toBe(8);
    expect(new Set(all.map((market) => market.tickSize))).toEqual(
      new Set(["0.1", "0.01", "0.005", "0.0025", "0.001", "0.0001"]),
    );
    expect(new Set(all.map((market) => market.negativeRisk))).toEqual(new Set([true, false]));
    expect(new Set(all.map((market) => market.feeRate > 0n))).toEqual(new Set([true, false]));
  });

  it("every id, slug and token is unique", () => {
    const { all } = markets;
    const tokens = all.flatMap((market) => market.outcomes.map((outcome) => outcome.tokenId));
    expect(new Set(ids(all)).size).toBe(all.length);
    expect(new Set(all.map((market) => market.slug)).size).toBe(all.length);
    expect(new Set(tokens).size).toBe(2 * all.length);
  });

  it("a market's two outcomes are YES and NO, and their prices mirror each other", () => {
    for (const { outcomes, tickSize: _tick, ...market } of markets.all) {
      const [yes, no] = outcomes;
      expect([yes.side, no.side]).toEqual(["YES", "NO"]);
      expect(yes.price + no.price, market.slug).toBe(1_000_000n);
      expect(yes.bestBid === null ? null : 1_000_000n - yes.bestBid).toBe(no.bestAsk);
      expect(yes.bestAsk === null ? null : 1_000_000n - yes.bestAsk).toBe(no.bestBid);
      if (yes.bestBid !== null && yes.bestAsk !== null) {
        expect(yes.bestBid).toBeLessThan(yes.bestAsk);
      }
    }
  });

  it("quotes are on the tick and between 0 and 1", () => {
    for (const market of markets.all) {
      const tick = readTick(market);
      for (const { bestBid, bestAsk, price } of market.outcomes) {
        for (const quoted of [bestBid, bestAsk]) {
          if (quoted === null) continue;
          expect(quoted % tick).toBe(0n);
          expect(quoted).toBeGreaterThan(0n);
          expect(quoted).toBeLessThan(1_000_000n);
        }
        expect(price).toBeGreaterThan(0n);
        expect(price).toBeLessThan(1_000_000n);
      }
    }
  });

  it("lists open markets, most popular first, by default", async () => {
    expect(markets.all.every((market) => market.status === "open")).toBe(true);
    expect(markets.all.every((market) => market.closesAt.getTime() > clock.now())).toBe(true);
    expect(markets.all.every((market) => market.winningTokenId === null)).toBe(true);
    const page = await list();
    expect(ids(page.markets)).toEqual(ids(markets.all).slice(0, 100));
    expect(ids((await list("?sort=popular&status=open&limit=1000")).markets)).toEqual(
      ids(markets.all),
    );
  });

  it("resolved markets name their winner, whose price is 1", async () => {
    const { markets: resolved } = await list("?status=resolved&limit=1000");
    expect(resolved.length).toBeGreaterThan(10);
    for (const { outcomes, winningTokenId, closesAt, status } of resolved) {
      expect(status).toBe("resolved");
      expect(closesAt.getTime()).toBeLessThan(clock.now());
      const winner = outcomes.find((outcome) => outcome.tokenId === winningTokenId);
      expect(winner?.price).toBe(1_000_000n);
      expect(outcomes.filter((outcome) => outcome.price === 0n)).toHaveLength(1);
      expect(outcomes.every(({ bestBid, bestAsk }) => bestBid === null && bestAsk === null)).toBe(
        true,
      );
    }
  });

  it("exactly one market of an event with exclusive outcomes resolves to its first token", async () => {
    const { markets: resolved } = await list("?status=resolved&limit=1000");
    const events = new Map<string, boolean[]>();
    for (const market of resolved.filter((one) => one.negativeRisk)) {
      const wins = events.get(market.eventSlug) ?? [];
      wins.push(market.winningTokenId === market.outcomes[0].tokenId);
      events.set(market.eventSlug, wins);
    }
    expect(events.size).toBeGreaterThan(0);
    for (const wins of events.values()) expect(wins.filter(Boolean)).toHaveLength(1);
  });

  it("sorts by closing time and by age", async () => {
    const closing = (await list("?sort=closing&limit=1000")).markets;
    const times = closing.map((market) => market.closesAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const newest = (await list("?sort=newest&limit=1000")).markets;
    const ages = newest.map((market) => market.opensAt.getTime());
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
    expect(ids(closing).toSorted()).toEqual(ids(markets.all).toSorted());
  });

  it("filters by category and by words, ignoring case", async () => {
    const { all, free } = markets;
    const ofCategory = all.filter((market) => market.category === free.category);
    expect(ids((await list(`?category=${free.category}&limit=1000`)).markets)).toEqual(
      ids(ofCategory),
    );
    const words = free.eventTitle.split(" ").slice(0, 5).join(" ").toUpperCase();
    const hits = (await list(`?search=${encodeURIComponent(words)}&limit=1000`)).markets;
    expect(ids(hits)).toContain(free.id);
    expect(hits.length).toBeLessThan(all.length);
    for (const query of [
      "search=%00",
      "search=no-market-says-this",
      "category=x",
      "category=%00",
    ]) {
      expect((await list(`?${query}`)).markets).toEqual([]);
    }
  });

  it.each(["popular", "closing", "newest"])("pages contain every market once: %s", async (sort) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `?sort=${sort}&limit=73${cursor === null ? "" : `&nextCursor=${cursor}`}`;
      const page = await list(query);
      seen.push(...ids(page.markets));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(markets.all.length);
    expect(new Set(seen).size).toBe(markets.all.length);
  });

  it("the Link header has the same filters", async () => {
    const first = await callApi("GET", "/v1/markets?limit=5&category=sports", { key });
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await read(MarketList, next, key);
    expect(second.markets.every((market) => market.category === "sports")).toBe(true);
    expect(second.markets).toHaveLength(5);
  });

  it("is the same for all users, and reading writes nothing", async () => {
    const before = await databaseState();
    const path = "/v1/markets?limit=1000";
    const mine = await callApi("GET", path, { key });
    expect(await databaseState()).toEqual(before);
    const theirs = await callApi("GET", path, { key: (await makeUser()).apiKey });
    expect(theirs.text).toBe(mine.text);
  });
});

describe("200: one market", () => {
  it("is found by condition id and by slug, with the same fields as in the list", async () => {
    const { rules, resolutionSource, resolvesAt, ...listed } = await detail(markets.free.id);
    expect(listed).toEqual(markets.free);
    expect(rules.length).toBeGreaterThan(20);
    expect(resolutionSource).not.toBe("");
    expect(resolvesAt.getTime()).toBeGreaterThanOrEqual(markets.free.closesAt.getTime());
    expect((await detail(markets.free.slug)).id).toBe(markets.free.id);
  });

  it("no title or rule contains a placeholder", async () => {
    for (const { title, eventTitle, slug } of markets.all) {
      expect(`${title} ${eventTitle}`, slug).not.toMatch(/[{}]/);
    }
    for (const market of markets.all.filter((_market, index) => index % 25 === 0)) {
      expect((await detail(market.id)).rules).not.toMatch(/[{}]/);
    }
  });

  it("an order of a user can be the best price", async () => {
    const { free } = markets;
    const price = microToNumber(readQuotes(free).bid + readTick(free));
    await place(key, orderFor(free, { price, shares: 5 }));
    const { outcomes } = await detail(free.id);
    expect(outcomes[0].bestBid).toBe((free.outcomes[0].bestBid ?? 0n) + 10_000n);
    expect(outcomes[1].bestAsk).toBe((free.outcomes[1].bestAsk ?? 0n) - 10_000n);
    await callApi("DELETE", "/v1/orders", { key });
  });

  it("closes, waits for its result, resolves, and stays readable after trades", async () => {
    const { short } = markets;
    const trader = await makeUser();
    await place(trader.apiKey, orderFor(short, { orderType: "market", amount: 5 }));
    clock.advance(short.closesAt.getTime() - clock.now() - 1);
    expect((await detail(short.id)).status).toBe("open");
    clock.advance(1);
    const closed = await detail(short.id);
    expect(closed).toMatchObject({ status: "closed", winningTokenId: null });
    expect((await list(`?status=closed&limit=1000`)).markets.map((one) => one.id)).toContain(
      short.id,
    );
    clock.advance(closed.resolvesAt.getTime() - clock.now() - 1);
    expect((await detail(short.id)).status).toBe("closed");
    clock.advance(1);
    const resolved = await detail(short.id);
    expect(resolved.status).toBe("resolved");
    expect(short.outcomes.map((outcome) => outcome.tokenId)).toContain(resolved.winningTokenId);
    clock.advance(30 * 24 * 60 * MINUTE_MS);
    expect(await detail(short.id)).toEqual(resolved);
    expect((await detail(short.slug)).id).toBe(short.id);
    clock.advance(-(clock.now() - markets.short.closesAt.getTime()) - SECOND_MS);
  });
});

describe("400", () => {
  it.each([
    ["status=OPEN", "status"],
    ["status=", "status"],
    ["sort=best", "sort"],
    ["search=", "search"],
    ["category=", "category"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=ten", "limit"],
    ["search=a&search=b", "search"],
  ])("%s is rejected with the parameter's name", async (query, name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/markets?${query}`, { key }),
    );
  });

  it("a cursor of another sort order is rejected", async () => {
    const { nextCursor } = await list("?sort=closing&limit=5");
    await expectRefusal({ code: "INVALID_CURSOR" }, () =>
      callApi("GET", `/v1/markets?sort=newest&nextCursor=${nextCursor}`, { key }),
    );
  });

  itRefusesBadCursors({
    path: "/v1/markets?limit=1",
    key: () => key,
    cursor: async () => (await list("?limit=1")).nextCursor ?? "",
  });
});

describe("404", () => {
  it.each(["x", "%00", "0x", `0x${"0".repeat(64)}`, "..%2Fkey", "%F0%9F%98%80", "a".repeat(201)])(
    "a market %j doesn't exist",
    async (id) => {
      await expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
        callApi("GET", `/v1/markets/${id}`, { key }),
      );
    },
  );

  it("a token id is not a market", async () => {
    await expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
      callApi("GET", `/v1/markets/${markets.free.outcomes[0].tokenId}`, { key }),
    );
  });
});
