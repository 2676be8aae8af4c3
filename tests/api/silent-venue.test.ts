// What pages read while Polymarket, whose markets paper money trades, does not answer.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { Balance } from "@/lib/schemas/account";
import { browseMarkets } from "@/lib/services/markets/browse-markets";
import { findMarketPage } from "@/lib/services/markets/get-market-page";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { getSummary } from "@/lib/services/portfolio/get-summary";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";
import { showing } from "@/lib/showing";
import { closeUpstreams } from "@/lib/venue/polymarket/http";
import { callApi } from "@/tests/support/api";
import { errorOf, place, read } from "@/tests/support/api-client";
import { expectUnchanged } from "@/tests/support/api-state";
import { useFreshDatabase } from "@/tests/support/database";
import { type LiveMarket, useLiveBooks } from "@/tests/support/live-books";
import { makeUser, type TestUser } from "@/tests/support/users";

const MINUTE = 60_000;

const venue = useLiveBooks();
useFreshDatabase();

let at = Date.UTC(2026, 10, 21, 12);
let restore = () => {};
let user: TestUser;
let market: LiveMarket;
/** When the venue was heard last. */
let heardAt = 0;

beforeAll(() => {
  restore = setClock(() => at);
});
afterAll(() => restore());
// What a page asked for without waiting for it is answered before the next test begins.
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
const browse = () => showing(() => browseMarkets(user.principal, BROWSE));
const portfolio = () => showing(() => getPortfolio(user.principal));
const page = () => showing(() => findMarketPage(user.principal, market.slug, undefined));
const live = () => showing(() => readLiveMarket(user.principal, market.id, undefined));

const buy = () => ({ tokenId: market.first, action: "BUY", orderType: "market", shares: 10 });

/** Somebody has looked at everything, and then the venue falls silent for twenty minutes. */
async function fallSilent(): Promise<void> {
  await place(user.apiKey, buy());
  heardAt = at;
  for (const shown of [await browse(), await portfolio(), await page(), await live()]) {
    expect(shown).toMatchObject({ isKnown: true, silence: null });
  }
  venue.isDown = true;
  at += 20 * MINUTE;
}

describe("while the venue of the prices is silent, a page", () => {
  it("shows cash, positions and totals at the last prices, and from when they are", async () => {
    await fallSilent();
    const shown = await portfolio();
    expect(shown).toMatchObject({
      isKnown: true,
      silence: { since: heardAt, code: "UPSTREAM_UNAVAILABLE" },
      value: {
        balanceUsdc: 995_000_000n,
        positions: [{ shares: 10_000_000n, currentPrice: 490_000n, value: 4_900_000n }],
      },
    });
    const summary = await showing(() => getSummary(user.principal));
    expect(summary).toMatchObject({ value: { availableUsdc: 995_000_000n, openOrders: 0 } });
  });

  it("lists the markets as they were, each with its last quotes", async () => {
    await fallSilent();
    const shown = await browse();
    expect(shown.silence?.since).toBe(heardAt);
    const groups = shown.isKnown ? shown.value.groups : [];
    expect(groups.flatMap(({ marketIds }) => marketIds)).toContain(market.id);
  });

  it("shows a market with its last book, as old as it is", async () => {
    await fallSilent();
    expect(await page()).toMatchObject({
      isKnown: true,
      silence: { since: heardAt },
      value: { detail: { status: "open", slug: market.slug } },
    });
    expect(await live()).toMatchObject({
      silence: { since: heardAt },
      value: { live: { book: { asks: [{ price: 500_000n, shares: 490_000_000n }] } } },
    });
  });

  it("is told of now again once the venue answers", async () => {
    await fallSilent();
    await portfolio();
    venue.isDown = false;
    venue.quote(market, { bids: [{ price: "0.70", size: "9" }], asks: [] }, at);
    venue.quote(market, { asks: [{ price: "0.72", size: "9" }] }, at);
    expect(await portfolio()).toMatchObject({
      silence: null,
      value: { positions: [{ currentPrice: 710_000n }] },
    });
  });

  it("and it alone: the interface answers 502, and no order meets an old book", async () => {
    await fallSilent();
    // Whatever a page was shown stays out of what trades.
    await Promise.all([portfolio(), live(), page()]);
    await expectUnchanged(async () => {
      const [read502, order] = await Promise.all([
        callApi("GET", "/v1/positions", { key: user.apiKey }),
        callApi("POST", "/v1/orders", { key: user.apiKey, body: buy() }),
      ]);
      expect([read502.status, errorOf(read502).code]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
      expect([order.status, errorOf(order).code]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
    });
    const { balanceUsdc } = await read(Balance, "/v1/account/balance", user.apiKey);
    expect(balanceUsdc).toBe(995_000_000n);
  });
});

describe("after a restart in the dark, a page", () => {
  it("shows what the database has, and that prices are not available", async () => {
    await fallSilent();
    const caches = (globalThis as Record<symbol, unknown>)[Symbol.for("ante.caches")];
    for (const entries of (caches as Map<string, Map<string, unknown>>).values()) entries.clear();
    expect(await portfolio()).toMatchObject({
      isKnown: true,
      silence: { since: null },
      value: { balanceUsdc: 995_000_000n, positions: [{ currentPrice: 500_000n }] },
    });
    expect(await page()).toMatchObject({
      silence: { since: null },
      value: { detail: { slug: market.slug } },
    });
    expect((await browse()).isKnown).toBe(false);
  });
});
