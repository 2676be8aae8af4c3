import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { selectRows } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { env } from "@/lib/env";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { checkHealth } from "@/lib/ops/check-health";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import {
  countLockWaits,
  openAgain,
  useFreshDatabase,
} from "@/tests/support/database/fresh-database";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { until } from "@/tests/support/product/process";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(5_000_000n);
const CENT = price(10_000n);
const MANY = 30;
const LIMITED = 50;

const bidIn = (market: PaperMarket) =>
  ({ market, action: "BUY", outcome: 0, limit: CENT, size: SIZE }) as const;

const holdMarket = ({ id }: PaperMarket) =>
  hold(sql`select from markets where id = ${id} for update`);

/** Locks a row with a separate connection until `release` is called, at the latest until the test ends. */
async function hold(lock: SQL): Promise<() => Promise<void>> {
  const outside: Database = await openAgain({});
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const holding = outside.db.transaction(async (tx) => {
    await selectRows(tx, lock);
    isHeld();
    await released;
  });
  await held;
  onTestFinished(async () => {
    release();
    await holding;
    await outside.close();
  });
  return async () => {
    release();
    await holding;
  };
}

// The embedded database has one connection, so no request waits for a market there.
describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "a market whose row is locked (server only)",
  () => {
    it(`keeps ${MANY} orders, cancels and ticks waiting, and no other request`, async () => {
      const [user, other] = [await makeUser(), await makeUser()];
      const [market, free] = [freshMarket(), freshMarket()];
      const first = await place(user, bidIn(market));
      await place(other, bidIn(free));
      const release = await holdMarket(market);
      const orders = Array.from({ length: MANY }, () => place(user, bidIn(market)));
      const canceling = cancelOrder(user.principal, first.orderId);
      await until("two of them wait at the database", async () => {
        return (await countLockWaits()) >= 2;
      });
      // During the wait, no further request takes a connection.
      await wait(300);
      expect(await countLockWaits()).toBeLessThanOrEqual(2);
      expect(await checkHealth()).toMatchObject({ status: "ok" });
      expect((await listOpenOrders(user.principal, {})).orders).toHaveLength(1);
      const others = Array.from({ length: 10 }, () => place(other, bidIn(free)));
      expect((await Promise.all(others)).every(({ status }) => status === "open")).toBe(true);
      await tick();
      expect(await Promise.race([...orders, "still waiting"])).toBe("still waiting");
      await release();
      const placed = await Promise.all(orders);
      expect(new Set(placed.map(({ status }) => status))).toEqual(new Set(["open"]));
      expect((await canceling).status).toBe("canceled");
    });

    it("refuses requests that wait too long, in the database or in the queue, and places nothing", async () => {
      const [user, market] = [await makeUser(), freshMarket()];
      const first = await place(user, bidIn(market));
      const release = await holdMarket(market);
      const startedAt = performance.now();
      // Ten requests per key: one claims it, the others wait for the claim and then for the market.
      const keys = Array.from({ length: MANY }, (_, index) => `key-${index % 3}`);
      const placing = keys.map((key) => place(user, { ...bidIn(market), key }));
      const canceling = cancelOrder(user.principal, first.orderId);
      const ended = await Promise.allSettled([...placing, canceling]);
      const took = performance.now() - startedAt;
      await release();
      expect(took).toBeGreaterThan(env().IN_PROGRESS_WAIT_MS * 0.9);
      expect(took).toBeLessThan(env().IN_PROGRESS_WAIT_MS * 1.5);
      expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
      const codes = ended.map((end) => end.status === "rejected" && String(end.reason.code));
      const allowed = /UPSTREAM_TIMEOUT|ORDER_IN_PROGRESS/;
      for (const code of codes.slice(0, -1)) expect(code).toMatch(allowed);
      expect(codes.slice(0, -1)).toContain("UPSTREAM_TIMEOUT");
      expect((await listOpenOrders(user.principal, {})).orders).toHaveLength(1);
      expect((await place(user, { ...bidIn(market), key: "key-0" })).status).toBe("open");
    });
  },
);

describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "a user with limits whose row is locked (server only)",
  () => {
    async function makeLimited() {
      const user = await makeUser();
      const { userId } = user.principal;
      const limits = { maxOpenOrders: 1_000 };
      await setLimits({ userId, subject: { scope: "user" }, limits });
      // From its first order on, the process knows that the user has limits.
      await place(user, bidIn(freshMarket()));
      return user;
    }

    const holdUser = ({ userId }: TestUser) =>
      hold(sql`select from users where id = ${userId} for update`);

    it(`keeps ${LIMITED} orders in different markets waiting, and no other user`, async () => {
      const [user, other] = [await makeLimited(), await makeUser()];
      const markets = Array.from({ length: 10 }, () => freshMarket());
      const release = await holdUser(user);
      const orders = Array.from({ length: LIMITED }, (_, index) =>
        place(user, bidIn(markets[index % markets.length] ?? freshMarket())),
      );
      await until("two of them wait at the database", async () => (await countLockWaits()) >= 2);
      // During the wait, no further request takes a connection.
      await wait(300);
      expect(await countLockWaits()).toBe(2);
      const others = markets.map((market) => place(other, bidIn(market)));
      expect((await Promise.all(others)).every(({ status }) => status === "open")).toBe(true);
      expect(await checkHealth()).toMatchObject({ status: "ok" });
      expect(await Promise.race([...orders, "still waiting"])).toBe("still waiting");
      await release();
      const placed = await Promise.all(orders);
      expect(new Set(placed.map(({ status }) => status))).toEqual(new Set(["open"]));
      expect((await listOpenOrders(user.principal, {})).orders).toHaveLength(LIMITED + 1);
    });

    it("has its orders refused that wait too long, and places nothing", async () => {
      const user = await makeLimited();
      const [before] = (await listOpenOrders(user.principal, {})).orders;
      const release = await holdUser(user);
      const startedAt = performance.now();
      const placing = Array.from({ length: LIMITED }, () => place(user, bidIn(freshMarket())));
      const ended = await Promise.allSettled(placing);
      const took = performance.now() - startedAt;
      await release();
      expect(took).toBeLessThan(env().IN_PROGRESS_WAIT_MS * 1.5);
      const codes = ended.map((end) => end.status === "rejected" && String(end.reason.code));
      expect(new Set(codes)).toEqual(new Set(["UPSTREAM_TIMEOUT"]));
      expect((await listOpenOrders(user.principal, {})).orders).toEqual([before]);
      expect((await place(user, bidIn(freshMarket()))).status).toBe("open");
    });
  },
);

describe("many concurrent orders in one market", () => {
  it("are all placed", async () => {
    const [user, market] = [await makeUser(), freshMarket()];
    const placed = await Promise.all(
      Array.from({ length: MANY }, () => place(user, bidIn(market))),
    );
    expect(placed.every(({ status }) => status === "open")).toBe(true);
  });
});
