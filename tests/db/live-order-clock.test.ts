import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { setClock, setPause } from "@/lib/clock";
import { getDb, selectRows } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { requireTrader } from "@/lib/accounts/require-trader";
import { takeOver } from "@/lib/orders/live/post-until-known";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { failRequests } from "@/tests/support/live/faults";
import { compareOrders } from "@/tests/support/live/compare-with-venue";

const ATTEMPT_MS = 1_000;
/** Long enough that no lease expires during the tests. */
const BUDGET_MS = 600_000;
const LEASE_MS = BUDGET_MS + ATTEMPT_MS;
const HALF_AN_HOUR_MS = 1_800_000;
/** One more than the number of queries without the order before it is abandoned. */
const QUERIES = 4;

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: String(ATTEMPT_MS),
  SUBMIT_BUDGET_MS: String(BUDGET_MS),
});
useFreshDatabase();

const NOT_READY: Fault = (_, { send: answer }) =>
  answer(Response.json({ error: "the market is not yet ready" }, { status: 400 }));

/** Moves the clock of this process. The database clock does not change. */
const shiftProcessClock = (byMs: number) =>
  onTestFinished(setClock(() => Date.now() + byMs, { movesDatabase: false }));

async function databaseNow(): Promise<number> {
  const [row] = await selectRows<{ ms: string }>(
    await getDb(),
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  );
  return Number(row?.ms);
}

/** Places an order and stops its request between two posts while it holds the lease. */
async function stopBetweenPosts(user: LiveUser): Promise<void> {
  await requireTrader(user.userId);
  failRequests(venue, "POST", "/clob/order", NOT_READY);
  let hasPosted = () => {};
  const isWaiting = new Promise<void>((resolve) => (hasPosted = resolve));
  onTestFinished(
    setPause(() => {
      hasPosted();
      return new Promise(() => {});
    }),
  );
  void send(user, RESTING, "key");
  await isWaiting;
}

async function readRow(user: LiveUser) {
  const db = await getDb();
  const [row] = await db.select().from(remoteOrders).where(eq(remoteOrders.userId, user.userId));
  return row ?? expect.fail("the order was stored");
}

describe.each([
  ["half an hour ahead", HALF_AN_HOUR_MS],
  ["half an hour behind", -HALF_AN_HOUR_MS],
])("a process whose clock is %s of the database clock", (_name, byMs) => {
  let user: LiveUser;
  beforeEach(async () => {
    user = await makeLiveUser();
  });

  it("stores a posting lease that ends by the database clock", async () => {
    shiftProcessClock(byMs);
    const before = await databaseNow();
    await stopBetweenPosts(user);
    const { postingUntil } = await readRow(user);
    expect(postingUntil.getTime()).toBeGreaterThanOrEqual(Math.floor(before) + LEASE_MS);
    expect(postingUntil.getTime()).toBeLessThanOrEqual((await databaseNow()) + LEASE_MS + 1);
  });

  it("takes over an expired lease but not one that another process holds", async () => {
    await stopBetweenPosts(user);
    shiftProcessClock(byMs);
    const { orderId } = await readRow(user);
    expect(await takeOver(orderId)).toBeNull();
    const db = await getDb();
    await db
      .update(remoteOrders)
      .set({ postingUntil: sql`clock_timestamp() - interval '1 second'` })
      .where(eq(remoteOrders.orderId, orderId));
    const before = await databaseNow();
    expect(await takeOver(orderId)).not.toBeNull();
    const { postingUntil } = await readRow(user);
    expect(postingUntil.getTime()).toBeGreaterThanOrEqual(Math.floor(before) + LEASE_MS);
    expect(postingUntil.getTime()).toBeLessThanOrEqual((await databaseNow()) + LEASE_MS + 1);
  });

  it("does not abandon an order whose lease another process holds", async () => {
    await stopBetweenPosts(user);
    shiftProcessClock(byMs);
    for (let query = 0; query < QUERIES; query += 1) await reconcileNow(user.userId);
    expect((await readRow(user)).unseenCount).toBeGreaterThanOrEqual(QUERIES - 1);
    expect((await compareOrders(user))[0]).toMatchObject({ ours: { status: "unknown" } });
  });
});
