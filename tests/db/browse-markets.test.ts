import { describe, expect, it } from "vitest";
import { browseMarkets, type BrowseQuery } from "@/lib/markets/browse-markets";
import { setWatched } from "@/lib/markets/watchlist";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { computeState } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { listTrades } from "@/lib/markets/list-trades";
import { NO_USDC, price, shares, sum } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const SIZE = shares(20_000_000n);

const ALL: BrowseQuery = {
  search: "",
  category: null,
  status: "open",
  sort: "popular",
  isWatchlist: false,
  eventSlug: null,
  limit: 1_000,
};

const openMarkets = () =>
  getListedMarkets(clock.now).markets.filter(
    (market) => computeState(market, clock.now).status === "open",
  );

describe("the markets page", () => {
  it("shows every open market in exactly one event", async () => {
    const { principal } = await makeUser();
    const { groups, total } = await browseMarkets(principal, ALL);
    const ids = groups.flatMap(({ marketIds }) => marketIds);
    expect(ids.toSorted()).toEqual(
      openMarkets()
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(total).toBe(new Set(openMarkets().map(({ eventSlug }) => eventSlug)).size);
  });

  it("shows an event's two likeliest markets and counts the others", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, ALL);
    const events = groups.filter(({ marketIds }) => marketIds.length > 2);
    expect(events.length).toBeGreaterThan(3);
    for (const { markets, hidden, marketIds, eventSlug } of events) {
      expect([markets.length, hidden]).toEqual([2, marketIds.length - 2]);
      const single = { ...ALL, eventSlug, status: null };
      const [event] = (await browseMarkets(principal, single)).groups;
      expect(event?.markets.slice(0, 2)).toEqual(markets);
    }
  });

  it("shows all markets of a single event, likeliest first", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, ALL);
    const listed = groups.find(({ hidden }) => hidden > 2);
    const single = { ...ALL, eventSlug: listed?.eventSlug ?? "", status: null };
    const { groups: found, total } = await browseMarkets(principal, single);
    expect([found.length, total]).toEqual([1, 1]);
    expect(found[0]).toMatchObject({ title: listed?.title, hidden: 0 });
    const ids = found[0]?.markets.map(({ id }) => id) ?? [];
    expect(ids.toSorted()).toEqual(found[0]?.marketIds.toSorted());
    const chances = found[0]?.markets.map(({ chance }) => chance) ?? [];
    expect(chances).toEqual(chances.toSorted((a, b) => (a > b ? -1 : 1)));
  });

  it("finds an event by the name of any of its markets, in any case and order of words", async () => {
    const { principal } = await makeUser();
    const wanted = openMarkets().find(({ label }) => label?.includes(" "));
    const search = (wanted?.title ?? "").split(" ").toReversed().join("  ").toUpperCase();
    const { groups } = await browseMarkets(principal, { ...ALL, search });
    expect(groups.flatMap(({ marketIds }) => marketIds)).toContain(wanted?.id);
  });

  it("finds nothing if no market has every word", async () => {
    const { principal } = await makeUser();
    const { groups, total } = await browseMarkets(principal, { ...ALL, search: "norvale qwxyz" });
    expect([groups, total]).toEqual([[], 0]);
  });

  it("begins with popular events whose result is open", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, { ...ALL, limit: 10 });
    for (const { markets } of groups) {
      const likeliest = markets[0]?.chance ?? 0n;
      expect(likeliest).toBeGreaterThan(price(50_000n));
      expect(likeliest).toBeLessThan(price(950_000n));
    }
  });

  it("by popularity, puts other events between those of a series", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, { ...ALL, limit: 10 });
    const seriesOf = new Map(openMarkets().map(({ id, series }) => [id, series]));
    const shown = groups.map(({ marketIds }) => seriesOf.get(marketIds[0] ?? ""));
    expect(shown).toHaveLength(10);
    expect(shown.filter((series, index) => index > 0 && series === shown[index - 1])).toEqual([]);
  });

  it("shows what an event's markets traded so far", async () => {
    const { principal, ...user } = await makeUser();
    const market = freshMarket();
    await place({ principal, ...user }, { market, action: "BUY", outcome: 0, size: SIZE });
    const { groups } = await browseMarkets(principal, ALL);
    const own = groups.find(({ marketIds }) => marketIds.includes(market.id));
    const [trade] = await listTrades(principal, market);
    expect(own?.volume).toBe(trade?.value);
  });

  it("shows the liquidity of all markets of an open event, and none of a resolved one", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, ALL);
    const byMarket = await getVenue("paper").getLiquidity(openMarkets());
    for (const { marketIds, liquidity } of groups) {
      const known = marketIds.map((id) => byMarket.get(id) ?? NO_USDC);
      expect(liquidity).toBe(sum(known));
    }
    const resolved = await browseMarkets(principal, { ...ALL, status: "resolved" });
    expect(new Set(resolved.groups.map(({ liquidity }) => liquidity))).toEqual(new Set([null]));
  });

  it("filters by the watchlist", async () => {
    const { principal } = await makeUser();
    const { id } = freshMarket();
    await setWatched(principal, [id], true);
    const { groups } = await browseMarkets(principal, { ...ALL, isWatchlist: true });
    expect(groups.map(({ marketIds, isWatched }) => [marketIds, isWatched])).toEqual([
      [[id], true],
    ]);
  });

  it("sorts by the requested order", async () => {
    const { principal } = await makeUser();
    const closing = await browseMarkets(principal, { ...ALL, sort: "closing" });
    const closes = closing.groups.map(({ closesAt }) => closesAt.getTime());
    expect(closes).toEqual(closes.toSorted((a, b) => a - b));
    const moved = await browseMarkets(principal, { ...ALL, sort: "move", limit: 5 });
    const size = (change: bigint | null) => Math.abs(Number(change ?? 0n));
    expect(
      size(moved.groups[0]?.markets[0]?.change ?? null) +
        size(moved.groups[0]?.markets[1]?.change ?? null),
    ).toBeGreaterThan(0);
  });

  it("shows a 24-hour change only for markets that were open a day ago", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, ALL);
    const byId = new Map(openMarkets().map((market) => [market.id, market]));
    for (const { id, change, isNew: marksNew } of groups.flatMap(({ markets }) => markets)) {
      const isOld = clock.now - (byId.get(id)?.opensAt ?? 0) > 25 * 3_600_000;
      const isNew = clock.now - (byId.get(id)?.opensAt ?? 0) < 24 * 3_600_000;
      if (isOld) expect(change).not.toBeNull();
      if (isNew) expect(change).toBeNull();
      expect(marksNew).toBe(isNew);
    }
  });

  it("names the winner of a resolved market and has no buy prices", async () => {
    const { principal } = await makeUser();
    const { groups } = await browseMarkets(principal, { ...ALL, status: "resolved" });
    expect(groups.length).toBeGreaterThan(0);
    for (const { winner, outcomes } of groups.flatMap(({ markets }) => markets)) {
      expect(outcomes.map(({ name }) => name)).toContain(winner);
      expect(outcomes.map(({ ask }) => ask)).toEqual([null, null]);
    }
  });
});
