import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { getPriceTrails } from "@/lib/markets/price-trails";
import { allowsStaleReads, withStaleReads } from "@/lib/stale-reads";
import { price as toPrice } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, getToken, MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const DAY = 24 * 60 * MINUTE;

describe("the trails of held tokens", () => {
  it("have a price per day, and the outcomes of a market mirror each other", async () => {
    const { principal } = await makeUser();
    const market = freshMarket({ where: ({ opensAt }) => clock.now - opensAt > 8 * DAY });
    const held = [0, 1].map((outcome) => ({
      id: getToken(market, outcome === 0 ? 0 : 1),
      conditionId: market.id,
    }));
    const [first = [], second = []] = await getPriceTrails(principal, held);
    expect(first).toHaveLength(7);
    for (const [index, price] of first.entries()) {
      expect(price + (second[index] ?? 0)).toBeCloseTo(1, 2);
    }
  });

  it("ask the venue once per day for all markets, and not again", async () => {
    const { principal } = await makeUser();
    clock.advance(30 * DAY);
    const held = [freshMarket(), freshMarket()].map((market) => ({
      id: getToken(market, 0),
      conditionId: market.id,
    }));
    const asked = vi.spyOn(paperExchange(), "getPastPrices");
    const trails = await getPriceTrails(principal, held);
    expect(asked).toHaveBeenCalledTimes(7);
    expect(await getPriceTrails(principal, held)).toEqual(trails);
    expect(asked).toHaveBeenCalledTimes(7);
    asked.mockRestore();
  });

  it("are read again after a failure, and never stale", async () => {
    const { principal } = await makeUser();
    clock.advance(30 * DAY);
    const market = freshMarket();
    const held = [{ id: getToken(market, 0), conditionId: market.id }];
    const asked = vi.spyOn(paperExchange(), "getPastPrices");
    asked.mockImplementation(async () => {
      expect(allowsStaleReads()).toBe(false);
      throw new AppError("UPSTREAM_TIMEOUT", "The venue did not respond in time. Try again.");
    });
    const read = () => withStaleReads(() => getPriceTrails(principal, held));
    expect(await read()).toMatchObject({ isKnown: false, outage: { code: "UPSTREAM_TIMEOUT" } });
    asked.mockImplementation(
      async (markets) => new Map(markets.map(({ id }) => [id, toPrice(1n)])),
    );
    expect(await read()).toMatchObject({ value: [Array.from({ length: 7 }, () => 0)] });
    expect(asked).toHaveBeenCalledTimes(14);
    asked.mockRestore();
  });

  it("have smaller steps for a market that opened today, and begin after it opened", async () => {
    const { principal } = await makeUser();
    const market = freshMarket({
      closesAfter: MINUTE,
      inside: 0,
      where: ({ opensAt }) => clock.now - opensAt > 12 * MINUTE && clock.now - opensAt < DAY / 2,
    });
    const held = [{ id: getToken(market, 0), conditionId: market.id }];
    const asked = vi.spyOn(paperExchange(), "getPastPrices");
    const [trail = []] = await getPriceTrails(principal, held);
    expect(trail.length).toBeGreaterThanOrEqual(3);
    expect(trail.length).toBeLessThanOrEqual(7);
    const instants = asked.mock.calls.map(([, at]) => at).filter((at) => at >= market.opensAt);
    expect(instants).toHaveLength(trail.length);
    asked.mockRestore();
  });
});
