// Pages during an outage of Polymarket, whose live markets paper accounts trade.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { Balance } from "@/lib/schemas/account";
import { browseMarkets } from "@/lib/markets/browse-markets";
import { findMarketPage } from "@/lib/markets/get-market-page";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { getSummary } from "@/lib/portfolio/get-summary";
import { readLiveMarket } from "@/lib/markets/read-live-market";
import { withStaleReads } from "@/lib/stale-reads";
import { closeUpstreams } from "@/lib/polymarket/http";
import { callApi } from "@/tests/support/api/call-api";
import { readError, place, read } from "@/tests/support/api/client";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { type LiveMarket, useLiveBooks } from "@/tests/support/polymarket/live-books";
import { makeUser, type TestUser } from "@/tests/support/users";

const MINUTE = 60_000;

const venue = useLiveBooks();
useFreshDatabase();

let at = Date.UTC(2026, 10, 21, 12);
let restore = () => {};
let user: TestUser;
let market: LiveMarket;
/** The time of the last response of the venue. */
let heardAt = 0;

beforeAll(() => {
  restore = setClock(() => at);
});
afterAll(() => restore());
// Waits for the background refreshes of pages before the next test.
afterEach(() => closeUpstreams());
beforeEach(async () => {
  at += 10 * MINUTE;
  user = await makeUser();
  market = venue.add({
    bids: [{ price: "0.48", size: "500" }],
    asks: [{ price: "0.50", size: "500" }],
  });
});

const BROWSE = {
  search: "",
  category: null,
  status: null,
  sort: "popular",
  isWatchlist: false,
  eventSlug: null,
  limit: 50,
} as const;
const browse = () => withStaleReads(() => browseMarkets(user.principal, BROWSE));
const portfolio = () => withStaleReads(() => getPortfolio(user.principal));
const page = () => withStaleReads(() => findMarketPage(user.principal, market.slug, undefined));
const live = () => withStaleReads(() => readLiveMarket(user.principal, market.id, undefined));

const buy = () => ({ tokenId: market.first, action: "BUY", orderType: "market", shares: 10 });

/** Reads every page once, then starts an outage of twenty minutes. */
async function startOutage(): Promise<void> {
  await place(user.apiKey, buy());
  heardAt = at;
  for (const shown of [await browse(), await portfolio(), await page(), await live()]) {
    expect(shown).toMatchObject({ isKnown: true, outage: null });
  }
  venue.isDown = true;
  at += 20 * MINUTE;
}

describe("during an outage of the price source, a page", () => {
  it("shows cash, positions and totals at the last prices, with their time", async () => {
    await startOutage();
    const shown = await portfolio();
    expect(shown).toMatchObject({
      isKnown: true,
      outage: { since: heardAt, code: "UPSTREAM_UNAVAILABLE" },
      value: {
        balanceUsdc: 995_000_000n,
        positions: [{ shares: 10_000_000n, currentPrice: 490_000n, value: 4_900_000n }],
      },
    });
    const summary = await withStaleReads(() => getSummary(user.principal));
    expect(summary).toMatchObject({ value: { availableUsdc: 995_000_000n, openOrders: 0 } });
  });

  it("lists the last known markets with their last quotes", async () => {
    await startOutage();
    const shown = await browse();
    expect(shown.outage?.since).toBe(heardAt);
    const groups = shown.isKnown ? shown.value.groups : [];
    expect(groups.flatMap(({ marketIds }) => marketIds)).toContain(market.id);
  });

  it("shows a market with its last book and its age", async () => {
    await startOutage();
    expect(await page()).toMatchObject({
      isKnown: true,
      outage: { since: heardAt },
      value: { detail: { status: "open", slug: market.slug } },
    });
    expect(await live()).toMatchObject({
      outage: { since: heardAt },
      value: { live: { book: { asks: [{ price: 500_000n, shares: 490_000_000n }] } } },
    });
  });

  it("shows current data once the venue responds again", async () => {
    await startOutage();
    await portfolio();
    venue.isDown = false;
    venue.quote(market, { bids: [{ price: "0.70", size: "9" }], asks: [] }, at);
    venue.quote(market, { asks: [{ price: "0.72", size: "9" }] }, at);
    expect(await portfolio()).toMatchObject({
      outage: null,
      value: { positions: [{ currentPrice: 710_000n }] },
    });
  });

  it("shows stale data, but the API returns 502 and no order fills from a stale book", async () => {
    await startOutage();
    // Stale data of pages must not be used for trading.
    await Promise.all([portfolio(), live(), page()]);
    await expectUnchanged(async () => {
      const [read502, order] = await Promise.all([
        callApi("GET", "/v1/positions", { key: user.apiKey }),
        callApi("POST", "/v1/orders", { key: user.apiKey, body: buy() }),
      ]);
      expect([read502.status, readError(read502).code]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
      expect([order.status, readError(order).code]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
    });
    const { balanceUsdc } = await read(Balance, "/v1/account/balance", user.apiKey);
    expect(balanceUsdc).toBe(995_000_000n);
  });
});

describe("after a restart during an outage, a page", () => {
  it("shows the database's data, and that prices are not available", async () => {
    await startOutage();
    const caches = (globalThis as Record<symbol, unknown>)[Symbol.for("ante.caches")];
    for (const entries of (caches as Map<string, Map<string, unknown>>).values()) entries.clear();
    expect(await portfolio()).toMatchObject({
      isKnown: true,
      outage: { since: null },
      value: { balanceUsdc: 995_000_000n, positions: [{ currentPrice: 500_000n }] },
    });
    expect(await page()).toMatchObject({
      outage: { since: null },
      value: { detail: { slug: market.slug } },
    });
    expect((await browse()).isKnown).toBe(false);
  });
});
