import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { readTokenId } from "@/tests/support/polymarket/recorded-data";
import { type UpstreamRequest, useUpstream } from "@/tests/support/polymarket/upstream";

const upstream = useUpstream();

/** Imports the adapter with empty caches. */
const freshSource = async () => {
  vi.resetModules();
  // The bundles of a process share these caches. A new process starts with empty ones.
  Reflect.deleteProperty(globalThis, Symbol.for("ante.caches"));
  const { setClock: setFresh } = await import("@/lib/clock");
  setFresh(() => at);
  const { polymarketMarkets } = await import("@/lib/polymarket/market-source");
  return polymarketMarkets;
};

const START = Date.UTC(2026, 10, 21, 12);
let at = START;
let restore = () => {};
beforeEach(() => {
  at = START;
  restore = setClock(() => at);
});
afterEach(() => restore());

const createId = (index: number) => `0x${index.toString(16).padStart(64, "0")}`;
const listTokens = (index: number) =>
  [readTokenId(`${index}/0`), readTokenId(`${index}/1`)] as const;

const market = (index: number, more: object = {}) => ({
  conditionId: createId(index),
  slug: `market-${index}`,
  question: `Question ${index}?`,
  outcomes: '["Yes","No"]',
  outcomePrices: '["0.3","0.7"]',
  clobTokenIds: JSON.stringify(listTokens(index)),
  orderPriceMinTickSize: 0.01,
  orderMinSize: 5,
  endDate: "2026-12-31T00:00:00Z",
  startDate: "2026-01-01T00:00:00Z",
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
  oneDayPriceChange: 0.05,
  ...more,
});

const event = (index: number, more: object = {}) => ({
  slug: `event-${index}`,
  title: `Event ${index}`,
  tags: [{ slug: "crypto" }],
  markets: [market(index)],
  ...more,
});

const book = (index: number, more: object = {}) => ({
  market: createId(index),
  asset_id: listTokens(index)[0],
  timestamp: "1",
  hash: "00",
  bids: [
    { price: "0.1", size: "50" },
    { price: "0.28", size: "10.5" },
  ],
  asks: [
    { price: "0.9", size: "7" },
    { price: "0.3", size: "4" },
  ],
  last_trade_price: "0.29",
  ...more,
});

const createRules = (index: number, more: object = {}) => ({
  t: listTokens(index).map((t) => ({ t })),
  mts: 0.01,
  mos: 5,
  ...more,
});

function listMarkets(known: readonly (ReturnType<typeof market> & { closed: boolean })[]) {
  upstream.on("/gamma/markets", ({ query }: UpstreamRequest) => {
    const isClosed = query.get("closed") === "true";
    const has = (name: string, value: string) => query.getAll(name).includes(value);
    const found = known.filter(
      (one) =>
        one.closed === isClosed &&
        (has("condition_ids", one.conditionId) ||
          has("slug", one.slug) ||
          (JSON.parse(one.clobTokenIds) as string[]).some((id) => has("clob_token_ids", id))),
    );
    return { json: found };
  });
}

describe("the catalogue", () => {
  const pages = (cursors: Record<string, { events: object[]; next?: string }>) =>
    upstream.on("/gamma/events/keyset", ({ query }) => {
      const page = cursors[query.get("after_cursor") ?? "first"];
      return { json: { events: page?.events ?? [], next_cursor: page?.next } };
    });

  it("follows the cursor and keeps the valid markets", async () => {
    pages({
      first: { events: [event(1), { nonsense: true }], next: "b" },
      b: { events: [event(2), event(3, { markets: [{}, market(3)] })] },
    });
    const source = await freshSource();
    const listed = await source.listMarkets();
    expect(listed.map(({ slug }) => slug)).toEqual(["market-1", "market-2", "market-3"]);
    expect(listed[0]).toMatchObject({ eventTitle: "Event 1", category: "crypto" });
  });

  it("fails on a repeated cursor", async () => {
    pages({ first: { events: [event(1)], next: "b" }, b: { events: [event(2)], next: "b" } });
    const source = await freshSource();
    await expect(source.listMarkets()).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });

  it("is read by offset if the venue has no cursors", async () => {
    const events = Array.from({ length: 130 }, (_, index) => event(index + 1));
    upstream.on("/gamma/events", ({ query }) => {
      const offset = Number(query.get("offset"));
      return { json: events.slice(offset, offset + 100) };
    });
    const source = await freshSource();
    expect(await source.listMarkets()).toHaveLength(130);
  });

  it("is loaded once for concurrent callers, is fresh for a minute, and is returned stale while it refreshes", async () => {
    pages({ first: { events: [event(1)] } });
    const source = await freshSource();
    await Promise.all([source.listMarkets(), source.listMarkets(), source.listMarkets()]);
    at += 59_000;
    await source.listMarkets();
    expect(upstream.asked).toHaveLength(1);
    at += 2_000;
    pages({ first: { events: [event(1), event(2)] } });
    expect(await source.listMarkets()).toHaveLength(1);
    await expect.poll(() => source.listMarkets()).toHaveLength(2);
    expect(upstream.asked).toHaveLength(2);
  });

  it("is returned stale for five minutes of failures, not longer", async () => {
    pages({ first: { events: [event(1)] } });
    const source = await freshSource();
    await source.listMarkets();
    upstream.on("/gamma/events/keyset", () => ({ status: 500 }));
    at += 60_000 + 5 * 60_000 - 1;
    expect(await source.listMarkets()).toHaveLength(1);
    at += 1;
    await expect(source.listMarkets()).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});

describe("one market", () => {
  it("is found by id, slug and token, with the exchange's rules", async () => {
    listMarkets([market(1)]);
    upstream.on(`/clob/clob-markets/${createId(1)}`, () => ({
      json: createRules(1, { mts: 0.005 }),
    }));
    const source = await freshSource();
    for (const name of [createId(1), "market-1"]) {
      expect(await source.findMarket(name)).toMatchObject({ id: createId(1), tick: 5_000n });
    }
    const [, second] = listTokens(1);
    expect(await source.findMarketByToken(second)).toMatchObject({ outcome: 1 });
  });

  it("has rules of at most thirty seconds of age", async () => {
    let tick = 0.01;
    listMarkets([market(1)]);
    upstream.on(`/clob/clob-markets/${createId(1)}`, () => ({
      json: createRules(1, { mts: tick }),
    }));
    const source = await freshSource();
    const tickNow = async () => (await source.findMarketByToken(listTokens(1)[0]))?.market.tick;
    expect(await tickNow()).toBe(10_000n);
    tick = 0.001;
    at += 29_999;
    expect(await tickNow()).toBe(10_000n);
    at += 1;
    expect(await tickNow()).toBe(1_000n);
  });

  it("is loaded once for concurrent callers", async () => {
    listMarkets([market(1)]);
    upstream.on(`/clob/clob-markets/${createId(1)}`, () => ({ json: createRules(1) }));
    const source = await freshSource();
    await Promise.all(Array.from({ length: 20 }, () => source.findMarket("market-1")));
    await Promise.all(Array.from({ length: 20 }, () => source.findMarket("unknown-slug")));
    expect(upstream.listRequests("/gamma/markets")).toHaveLength(3);
  });

  it("is also found among closed markets", async () => {
    listMarkets([market(1, { closed: true, outcomePrices: '["0","1"]' })]);
    const source = await freshSource();
    const found = await source.findMarket(createId(1));
    expect(found && source.getState(found)).toEqual({ status: "resolved", winner: 1 });
    expect(upstream.asked.map(({ query }) => query.get("closed"))).toEqual(["false", "true"]);
  });

  it("is closed while the exchange does not know it", async () => {
    listMarkets([market(1)]);
    const source = await freshSource();
    const found = await source.findMarket("market-1");
    expect(found && source.getState(found).status).toBe("closed");
  });

  it.each(["unknown-slug", createId(9), "no/slug", `0x${"G".repeat(64)}`])(
    "is null for %s",
    async (name) => {
      listMarkets([market(1)]);
      const source = await freshSource();
      expect(await source.findMarket(name)).toBeNull();
      expect(await source.findMarketByToken(name)).toBeNull();
    },
  );

  it("is null if the venue returns another market", async () => {
    upstream.on("/gamma/markets", () => ({ json: [market(2)] }));
    const source = await freshSource();
    expect(await source.findMarket(createId(1))).toBeNull();
  });

  it("fails on invalid rules", async () => {
    listMarkets([market(1)]);
    upstream.on(`/clob/clob-markets/${createId(1)}`, () => ({ json: { mts: "small" } }));
    const source = await freshSource();
    await expect(source.findMarket(createId(1))).rejects.toMatchObject({
      code: "UPSTREAM_BAD_RESPONSE",
    });
  });

  it("is loaded together with many others, without the unknown ones", async () => {
    listMarkets([market(1), market(2), market(3, { closed: true })]);
    const source = await freshSource();
    const found = await source.getMarkets([1, 2, 3, 4].map(createId));
    expect([...found.keys()].toSorted()).toEqual([1, 2, 3].map(createId));
  });
});

describe("books, quotes and prices", () => {
  const open = async (index = 1) => {
    listMarkets([market(index)]);
    upstream.on(`/clob/clob-markets/${createId(index)}`, () => ({ json: createRules(index) }));
    const source = await freshSource();
    const found = await source.findMarket(createId(index));
    if (!found) throw new Error("the market is there");
    return { source, found };
  };

  it("a book has the first token's prices in base units", async () => {
    const { source, found } = await open();
    upstream.on("/clob/book", () => ({ json: book(1) }));
    expect((await source.getBook(found)).house).toEqual([
      { side: "bid", price: 100_000n, size: 50_000_000n },
      { side: "bid", price: 280_000n, size: 10_500_000n },
      { side: "ask", price: 900_000n, size: 7_000_000n },
      { side: "ask", price: 300_000n, size: 4_000_000n },
    ]);
    expect(upstream.listRequests("/clob/book")[0]?.query.get("token_id")).toBe(listTokens(1)[0]);
  });

  it.each([
    ["another token's book", book(2)],
    ["a crossed book", book(1, { asks: [{ price: "0.2", size: "1" }] })],
    ["a book without sizes", book(1, { bids: [{ price: "0.2" }] })],
    ["no book", "<html>"],
  ])("a response that is %s fails", async (_name, json) => {
    const { source, found } = await open();
    upstream.on("/clob/book", () => ({ json }));
    await expect(source.getBook(found)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });

  it("a market without a book has an empty one", async () => {
    const { source, found } = await open();
    expect(await source.getBook(found)).toEqual({ orders: [], house: [] });
  });

  it("a quote is the midpoint, or the last trade if the spread is wide", async () => {
    const { source, found } = await open();
    const quoteWith = async (more: object) => {
      at += 60_000;
      upstream.on("/clob/books", () => ({ json: [book(1, more)] }));
      return (await source.getQuotes([found])).get(found.id);
    };
    expect(await quoteWith({})).toEqual({ bid: 280_000n, ask: 300_000n, mark: 290_000n });
    const wide = { asks: [{ price: "0.5", size: "1" }], last_trade_price: "0.31" };
    expect(await quoteWith(wide)).toEqual({ bid: 280_000n, ask: 500_000n, mark: 310_000n });
    // The last trade may be the other token's.
    const others = { asks: [{ price: "0.5", size: "1" }], last_trade_price: "0.69" };
    expect((await quoteWith(others))?.mark).toBe(310_000n);
    const never = { asks: [], last_trade_price: "" };
    expect(await quoteWith(never)).toEqual({ bid: 280_000n, ask: null, mark: 300_000n });
  });

  it("a crossed book does not prevent quotes of other markets", async () => {
    const events = [{ ...event(1), markets: [market(1), market(2)] }];
    upstream.on("/gamma/events/keyset", () => ({ json: { events } }));
    const torn = book(1, { asks: [{ price: "0.2", size: "1" }] });
    upstream.on("/clob/books", () => ({ json: [torn, book(2)] }));
    const source = await freshSource();
    const quotes = await source.getQuotes(await source.listMarkets());
    expect(quotes.get(createId(1))).toEqual({ bid: null, ask: null, mark: 300_000n });
    expect(quotes.get(createId(2))).toEqual({ bid: 280_000n, ask: 300_000n, mark: 290_000n });
  });

  it("many quotes are read in requests of at most five hundred tokens", async () => {
    const events = Array.from({ length: 6 }, (_, page) => ({
      ...event(1),
      slug: `event-${page}`,
      markets: Array.from({ length: 100 }, (__, index) => market(1 + page * 100 + index)),
    }));
    upstream.on("/gamma/events/keyset", () => ({ json: { events } }));
    upstream.on("/clob/books", ({ body }) => {
      const tokens = JSON.parse(body) as { token_id: string }[];
      return {
        json: tokens.slice(0, -1).map(({ token_id }) => ({ ...book(1), asset_id: token_id })),
      };
    });
    const source = await freshSource();
    const listed = await source.listMarkets();
    const quotes = await source.getQuotes(listed);
    expect(quotes.size).toBe(600);
    const sizes = upstream
      .listRequests("/clob/books")
      .map(({ body }) => (JSON.parse(body) as unknown[]).length);
    expect(sizes.toSorted()).toEqual([100, 500]);
    // The omitted token has no book, so its quote is the listed price.
    expect(quotes.get(listed[499]?.id ?? "")).toEqual({ bid: null, ask: null, mark: 300_000n });
  });

  it("a past price is computed from the daily change, and unknown for other times", async () => {
    const { source, found } = await open();
    const day = 24 * 3_600_000;
    expect([...(await source.getPastPrices([found], at - day))]).toEqual([[found.id, 250_000n]]);
    expect([...(await source.getPastPrices([found], at))]).toEqual([[found.id, 300_000n]]);
    expect((await source.getPastPrices([found], at - 3 * day)).size).toBe(0);
  });

  it("history stays in its range, and loads everything if the range is too long", async () => {
    const { source, found } = await open();
    const points = [-120, -60, 0, 60].map((s) => ({ t: at / 1_000 + s, p: 0.25 }));
    upstream.on("/clob/prices-history", ({ query }) =>
      query.has("interval") ? { json: { history: points } } : { status: 400, text: "{}" },
    );
    const history = await source.getHistory(found, at - 90_000, at, 60_000);
    expect(history).toEqual([
      { at: at - 60_000, price: 250_000n },
      { at, price: 250_000n },
    ]);
    const [first] = upstream.listRequests("/clob/prices-history");
    expect(first?.query.get("market")).toBe(listTokens(1)[0]);
    expect(first?.query.get("fidelity")).toBe("1");
  });
});
