import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { takeTurns } from "@/lib/clock";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getBook } from "@/lib/markets/get-book";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { ONE, price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createBody,
  freshMarket,
  findPriceInside,
  mintPair,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { orderRow, readHeldShares } from "@/tests/support/exchange/ledger";
import { restManyBids } from "@/tests/support/exchange/resting-orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

const LONG = 300_000;
const MANY = 5_000;
const LIMIT = 1_000;
/** Takes two seconds on an idle machine; quadratic work would take minutes. */
const SOON_MS = 15_000;
const CENT = price(10_000n);
const RICH = usdc(1_000_000_000_000n);
const SIZE = shares(5_000_000n);

interface Timed<T> {
  result: T;
  ms: number;
}

/** Takes the fastest of five attempts, because other load on the machine only adds time. */
async function measureFastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) times.push((await timed(work)).ms);
  return Math.min(...times);
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const liveIn = async (market: PaperMarket): Promise<number> => {
  const [row] = await selectRows<{ live: number }>(
    await getDb(),
    sql`select count(*)::int as live from orders
        where market_id = ${market.id} and status in ('open', 'delayed')`,
  );
  return row?.live ?? 0;
};

const checkBooks = async () => expect((await verifyBooks()).problems).toEqual([]);

describe(`${MANY} resting orders in one market`, () => {
  afterEach(checkBooks);

  it(
    "are canceled in slices with one event each, while other users trade",
    async () => {
      const [user, other, market] = [await makeUser(RICH), await makeUser(), freshMarket()];
      await restManyBids(user, market, { count: MANY, at: CENT });
      const canceling = timed(() => cancelOrders(user.principal));
      const waits: number[] = [];
      const progress = { isDone: false };
      void canceling.finally(() => (progress.isDone = true));
      while (!progress.isDone) {
        // From the event loop, as requests arrive.
        await takeTurns();
        const bid = { market, action: "BUY", outcome: 0, limit: CENT, size: SIZE } as const;
        waits.push((await timed(() => place(other, bid))).ms);
      }
      const { result, ms } = await canceling;
      expect(ms).toBeLessThan(SOON_MS);
      expect(new Set(result.canceled).size).toBe(MANY);
      expect(result.notCanceled).toEqual([]);
      // They ran between two slices instead of after the last one.
      expect(waits.length).toBeGreaterThan(2);
      expect(Math.max(...waits)).toBeLessThan(ms);
      expect(await liveIn(market)).toBe(waits.length);
    },
    LONG,
  );

  it(
    "are canceled by the ticker when the market closes",
    async () => {
      const [user, market] = [await makeUser(RICH), freshMarket()];
      const first = await restManyBids(user, market, { count: MANY, at: CENT });
      clock.set(market.closesAt);
      const { ms } = await timed(async () => {
        while ((await liveIn(market)) > 0) expect(await tick()).toBeGreaterThan(0);
      });
      expect(ms).toBeLessThan(SOON_MS);
      expect(await orderRow(first)).toMatchObject({ status: "canceled", held: 0n });
    },
    LONG,
  );

  it(
    "are expired by the ticker, and not filled meanwhile",
    async () => {
      const [user, other, market] = [await makeUser(RICH), await makeUser(), freshMarket()];
      const at = findPriceInside(market)(0);
      const first = await restManyBids(user, market, {
        count: MANY,
        at,
        expiresAt: clock.now + 60_000,
      });
      clock.advance(60_000);
      const sell = {
        market,
        action: "BUY",
        outcome: 1,
        limit: price(ONE - at),
        size: SIZE,
      } as const;
      const { result, ms } = await timed(() => place(other, sell));
      expect(result.status).toBe("open");
      expect(ms).toBeLessThan(SOON_MS);
      expect(await orderRow(first)).toMatchObject({ status: "expired", held: 0n });
      expect(await liveIn(market)).toBe(1);
    },
    LONG,
  );

  it(
    "do not delay a claim of their owner or of another user",
    async () => {
      const [user, other, market] = [await makeUser(RICH), await makeUser(), freshMarket()];
      await mintPair(market, { first: user, second: other }, SIZE);
      await restManyBids(user, market, { count: MANY, at: CENT });
      clock.set(market.resolvesAt + 1_000);
      const claim = async (who: typeof user, outcome: 0 | 1) =>
        redeemPosition(who.principal, getToken(market, outcome));
      const others = await timed(() => claim(other, 1));
      expect(others.result.shares).toBe(SIZE);
      expect(await liveIn(market)).toBe(MANY);
      const own = await timed(() => claim(user, 0));
      expect(own.result.shares).toBe(SIZE);
      expect(await readHeldShares(user, getToken(market, 0))).toEqual({ available: 0n, held: 0n });
      expect(await liveIn(market)).toBe(0);
      expect(Math.max(others.ms, own.ms)).toBeLessThan(SOON_MS);
    },
    LONG,
  );

  it(
    "can all be filled by one order",
    async () => {
      const [user, taker, market] = [await makeUser(RICH), await makeUser(RICH), freshMarket()];
      const at = findPriceInside(market)(0);
      await restManyBids(user, market, { count: MANY, at });
      const taking = await timed(() =>
        place(taker, {
          market,
          action: "BUY",
          outcome: 1,
          limit: price(ONE - at),
          size: shares(SIZE * BigInt(MANY)),
        }),
      );
      expect(taking.result.status).toBe("filled");
      expect(taking.ms).toBeLessThan(2 * SOON_MS);
      expect(await liveIn(market)).toBe(0);
      const { positions } = await getPortfolio(taker.principal);
      expect(positions.map((position) => position.shares)).toEqual([SIZE * BigInt(MANY)]);
    },
    LONG,
  );

  it(
    "are all canceled by a newer order of their owner that crosses them",
    async () => {
      const [user, market] = [await makeUser(RICH), freshMarket()];
      const at = findPriceInside(market)(0);
      await restManyBids(user, market, { count: MANY, at });
      const sell = {
        market,
        action: "BUY",
        outcome: 1,
        limit: price(ONE - at),
        size: SIZE,
      } as const;
      const { result, ms } = await timed(() => place(user, sell));
      expect(result.status).toBe("open");
      expect(ms).toBeLessThan(2 * SOON_MS);
      expect(await liveIn(market)).toBe(1);
    },
    LONG,
  );
});

describe("the limit of open orders of one user in one market", () => {
  afterEach(checkBooks);
  const bidIn = (market: PaperMarket) =>
    ({ market, action: "BUY", outcome: 0, limit: CENT, size: SIZE }) as const;

  it(
    `ends at ${LIMIT}, exactly, however many are sent at once, and preview says so`,
    async () => {
      const [user, market] = [await makeUser(RICH), freshMarket()];
      await restManyBids(user, market, { count: LIMIT - 3, at: CENT });
      const sent = await Promise.all(Array.from({ length: 8 }, () => place(user, bidIn(market))));
      expect(sent.filter(({ status }) => status === "open")).toHaveLength(3);
      const refused = sent.filter(({ status }) => status === null);
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["RISK_LIMIT_EXCEEDED"]));
      expect(refused[0]?.message).toBe(
        "You can have 1,000 open orders in one market. You have 1,000. Cancel some first.",
      );
      expect(await liveIn(market)).toBe(LIMIT);
      const preview = await previewOrder(user.principal, createBody(bidIn(market)));
      expect(preview.refusal?.code).toBe("RISK_LIMIT_EXCEEDED");
    },
    LONG,
  );

  it(
    "does not refuse an order that fills immediately, replaces another, or is in another market",
    async () => {
      const [user, market] = [await makeUser(RICH), freshMarket()];
      const at = findPriceInside(market)(0);
      await restManyBids(user, market, { count: LIMIT - 1, at: CENT });
      expect((await place(user, { ...bidIn(market), limit: at })).status).toBe("open");
      const buy = { market, action: "BUY", outcome: 0, amount: usdc(5_000_000n) } as const;
      expect((await place(user, buy)).status).toMatch(/filled|canceled/);
      // It cancels the bid that it crosses.
      const sell = { ...bidIn(market), outcome: 1, limit: price(ONE - at) } as const;
      expect((await previewOrder(user.principal, createBody(sell))).refusal).toBeNull();
      expect((await place(user, sell)).status).toBe("open");
      expect(await liveIn(market)).toBe(LIMIT);
      expect((await place(user, bidIn(freshMarket()))).status).toBe("open");
      expect((await place(user, bidIn(market))).code).toBe("RISK_LIMIT_EXCEEDED");
    },
    LONG,
  );
});

describe("the displayed book", () => {
  it(
    "sums 100,000 orders in about the time of one, and reflects each placed and canceled order",
    async () => {
      const [user, market] = [await makeUser(RICH), freshMarket()];
      const [low, high] = [CENT, price(20_000n)];
      const read = () => getBook(user.principal, market.id, undefined);
      const sizesAt = async (at: bigint) =>
        (await read()).bids.find((level) => level.price === at)?.shares ?? 0n;
      const before = { low: await sizesAt(low), high: await sizesAt(high) };
      await restManyBids(user, market, { count: 1, at: high });
      const few = await measureFastest(read);
      await restManyBids(user, market, { count: 100_000, at: low });
      const many = await measureFastest(read);
      expect(await sizesAt(low)).toBe(before.low + SIZE * 100_000n);
      expect(await sizesAt(high)).toBe(before.high + SIZE);
      expect(many).toBeLessThan(few + 250);
      const other = await makeUser();
      const buy = { market, action: "BUY", outcome: 0, amount: usdc(5_000_000n) } as const;
      expect((await timed(() => place(other, buy))).ms).toBeLessThan(SOON_MS);
      const rested = { market, action: "BUY", outcome: 0, limit: high, size: SIZE } as const;
      const { orderId } = await place(other, rested);
      expect(await sizesAt(high)).toBe(before.high + SIZE * 2n);
      await cancelOrder(other.principal, orderId);
      expect(await sizesAt(high)).toBe(before.high + SIZE);
      // The cleanup after each test would take too long for so many orders.
      await (await getDb()).execute(sql`delete from orders where market_id = ${market.id}`);
      expect(await sizesAt(low)).toBe(before.low);
    },
    LONG,
  );
});
