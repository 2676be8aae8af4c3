import { describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectVolume } from "@/lib/db/queries/market-volume";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { listTrades } from "@/lib/markets/list-trades";
import { readDayVolumes, readMarketFigures } from "@/lib/markets/market-figures";
import { NO_USDC, ONE, price, shares, sum, usdc } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findPriceInside,
  freshMarket,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const SIZE = shares(20_000_000n);

const readVolume = async (market: PaperMarket) => selectVolume(await getDb(), market.id);
const sumTape = async (market: PaperMarket) =>
  sum((await listTrades({ mode: "paper" }, market)).map(({ value }) => value));

describe("the volume of a market", () => {
  it("is zero before the first trade", async () => {
    expect(await readVolume(freshMarket())).toBe(NO_USDC);
  });

  it("counts a trade between two users once, with what the taker paid", async () => {
    const market = freshMarket();
    const [maker, taker] = [await makeUser(), await makeUser()];
    const limit = findPriceInside(market)(1);
    await place(maker, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    const other = price(ONE - limit);
    await place(taker, { market, action: "BUY", outcome: 1, limit: other, size: SIZE });
    expect(await readVolume(market)).toBe(usdc((SIZE * other) / ONE));
  });

  it("counts the trades of users with the house, as the tape shows them", async () => {
    const market = freshMarket();
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    await place(user, { market, action: "SELL", outcome: 0, size: SIZE });
    expect(await readVolume(market)).toBe(await sumTape(market));
    expect(await readVolume(market)).toBeGreaterThan(0n);
  });

  it("counts a resting order that the house took, as the tape shows it", async () => {
    const market = freshMarket({ inside: 2 });
    const user = await makeUser();
    const limit = findPriceInside(market)(1);
    await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    for (let step = 0; step < 3_000 && (await readVolume(market)) === 0n; step += 1) {
      clock.advance(MINUTE);
      await tick();
    }
    expect(await readVolume(market)).toBe(await sumTape(market));
    expect(await readVolume(market)).toBeGreaterThan(0n);
  });

  it("leaves other markets out, and trades of more than a day ago out of the day's", async () => {
    const [market, other] = [freshMarket(), freshMarket()];
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    expect(await readVolume(other)).toBe(NO_USDC);
    const readDay = async () => (await readDayVolumes([market])).get(market.id);
    expect(await readDay()).toBe(await readVolume(market));
    clock.advance(26 * 60 * MINUTE);
    expect(await readDay()).toBe(NO_USDC);
    expect(await readVolume(market)).toBeGreaterThan(0n);
  });
});

describe("the liquidity of a market", () => {
  it("is what bids pay, and what offers pay as bids for the other outcome", async () => {
    const market = freshMarket();
    const venue = getVenue("paper");
    const { orders, house } = await venue.getBook(market);
    const paid = house.map(
      ({ side, price: at, size }) => (size * (side === "bid" ? at : ONE - at)) / ONE,
    );
    const { liquidity } = await readMarketFigures(venue, market);
    expect(orders).toEqual([]);
    expect(liquidity).toBeGreaterThan(0n);
    expect(liquidity).toBe(paid.reduce((total, each) => total + each, 0n));
  });

  it("is read for many markets at once, without those that take no orders", async () => {
    const venue = getVenue("paper");
    const closing = freshMarket();
    const market = freshMarket({ where: ({ closesAt }) => closesAt > closing.closesAt });
    const user = await makeUser();
    const limit = findPriceInside(market)(1);
    await place(user, { market, action: "BUY", outcome: 1, limit: price(ONE - limit), size: SIZE });
    clock.advance(closing.closesAt - clock.now);
    const found = await venue.getLiquidity([market, closing]);
    expect([...found]).toEqual([[market.id, (await readMarketFigures(venue, market)).liquidity]]);
  });

  it("grows by a resting order of a user", async () => {
    const market = freshMarket();
    const user = await makeUser();
    const venue = getVenue("paper");
    const before = (await readMarketFigures(venue, market)).liquidity ?? NO_USDC;
    const limit = findPriceInside(market)(1);
    await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    const { liquidity } = await readMarketFigures(venue, market);
    expect(liquidity).toBe(before + (SIZE * limit) / ONE);
  });

  it("is the venue's own figure where a venue gives one, and unknown where it gives none", async () => {
    const venue = getVenue("paper");
    const listed = { volume: usdc(5n), dayVolume: usdc(3n), liquidity: null };
    const market = { ...freshMarket(), figures: listed };
    expect(await readMarketFigures(venue, market)).toEqual({ volume: 5n, liquidity: null });
    expect((await readDayVolumes([market])).get(market.id)).toBe(3n);
  });
});
