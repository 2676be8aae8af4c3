import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { takeOrderTurn } from "@/lib/db/queries/order-turn";
import { listEvents } from "@/lib/events/list-events";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelFrozenOrders, freeze, thaw } from "@/lib/limits/freeze";
import { describeKey } from "@/lib/limits/describe-key";
import { previewOrder } from "@/lib/orders/preview-order";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares, usdc } from "@/lib/units";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { pauseFailures } from "@/tests/support/database/serialization-failures";
import {
  createBody,
  findPriceInside,
  freshMarket,
  getToken,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { restManyBids } from "@/tests/support/exchange/resting-orders";
import { readCashBalance, readOrderEvents } from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const REASON = "A bot went wrong.";
const RICH = usdc(100_000_000_000n);

function restingBuy() {
  const market = freshMarket();
  const limit = findPriceInside(market)(0);
  return { market, action: "BUY", outcome: 0, limit, size: shares(10_000_000n) } as const;
}

const countOpen = async (user: TestUser) => {
  const [row] = await selectRows<{ open: number; held: string }>(
    await getDb(),
    sql`select count(*)::integer as open, coalesce(sum(held_micro), 0)::text as held from orders
      where user_id = ${user.userId} and status in ('open', 'delayed')`,
  );
  return row;
};

const isServer = process.env["TEST_DATABASE"] === "postgres";

/** Waits until so many transactions wait for their turn. */
async function untilWaiting(db: Tx, expected: number): Promise<void> {
  for (;;) {
    const [row] = await selectRows<{ waiting: number }>(
      db,
      sql`select count(*)::integer as waiting from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    if (row?.waiting === expected) return;
    await wait(5);
  }
}

const asSession = (user: TestUser) =>
  ({ ...user, principal: { ...user.principal, keyId: null } }) as unknown as TestUser;

describe("a freeze", () => {
  it.each([
    ["of a key", (user: TestUser) => ({ scope: "key", keyId: user.principal.keyId }) as const],
    ["of an account", () => ({ scope: "account", mode: "paper" }) as const],
    ["of a user", () => ({ scope: "user" }) as const],
  ])("%s cancels what rests, gives its money back, and refuses every new order", async (_, of) => {
    const user = await makeUser();
    const order = restingBuy();
    const { orderId } = await place(user, order);
    await place(user, order);
    const { userId } = user;
    const { orders } = await freeze({ userId, subject: of(user), reason: REASON });
    expect(orders).toEqual({ canceled: 2, late: 0, waiting: 0 });
    expect(await countOpen(user)).toEqual({ open: 0, held: "0" });
    expect((await readOrderEvents(orderId)).at(-1)).toBe("canceled:frozen");
    const refused = await place(user, order);
    expect(refused).toMatchObject({ status: null, code: "TRADING_FROZEN" });
    expect(refused.message).toContain(REASON);
    const { refusal } = await previewOrder(user.principal, createBody(order));
    expect(refusal).toMatchObject({ code: "TRADING_FROZEN" });
    const { market } = order;
    await expect(redeemPosition(user.principal, getToken(market, 0))).rejects.toThrow(REASON);
    const pair = { marketId: market.id, shares: shares(1_000_000n) };
    await expect(splitOrMerge(user.principal, "split", pair)).rejects.toThrow(REASON);
    await thaw({ userId, subject: of(user) });
    expect(await place(user, order)).toMatchObject({ status: "open" });
  });

  it("counts the orders beyond one pass as waiting, and the next pass cancels them", async () => {
    const [user, { market, limit }] = [await makeUser(RICH), restingBuy()];
    await restManyBids(user, market, { count: 1_200, at: limit });
    const { userId } = user;
    const { orders } = await freeze({ userId, subject: { scope: "user" }, reason: REASON });
    expect(orders).toEqual({ canceled: 1_000, late: 0, waiting: 200 });
    expect(await cancelFrozenOrders()).toEqual({ canceled: 200, late: 0, waiting: 0 });
    expect(await countOpen(user)).toEqual({ open: 0, held: "0" });
  });

  it("of a key leaves the orders of other keys and of the dashboard alone", async () => {
    const user = await makeUser();
    const order = restingBuy();
    await place(user, order);
    await place(asSession(user), order);
    const { userId, keyId } = user.principal;
    await freeze({ userId, subject: { scope: "key", keyId }, reason: REASON });
    expect(await countOpen(user)).toMatchObject({ open: 1 });
    expect(await place(asSession(user), order)).toMatchObject({ status: "open" });
  });

  it("repeated keeps its first time and reason, and is one event of the account", async () => {
    const user = await makeUser();
    const { userId, keyId } = user.principal;
    const subject = { scope: "key", keyId } as const;
    const first = await freeze({ userId, subject, reason: REASON });
    expect(await freeze({ userId, subject, reason: "again" })).toEqual(first);
    expect(first.orders).toEqual({ canceled: 0, late: 0, waiting: 0 });
    expect((await describeKey(user.principal)).frozen).toEqual({
      scope: "key",
      at: first.frozenAt,
      reason: REASON,
    });
    const { events } = await listEvents(user.principal, { types: ["trading.frozen"] });
    expect(events.map(({ data }) => data)).toEqual([{ scope: "key", keyId, reason: REASON }]);
  });

  it("lets no order in after its commit, with 40 orders in flight", async () => {
    const user = await makeUser();
    const all = Array.from({ length: 8 }, restingBuy);
    const { userId } = user;
    const placing = Array.from({ length: 40 }, (_, index) => all[index % all.length]).map(
      (order) => order && place(user, order),
    );
    await freeze({ userId, subject: { scope: "user" }, reason: REASON });
    await Promise.all(placing);
    // Orders that were accepted before the commit may be canceled by the sweep only.
    await cancelFrozenOrders(userId);
    expect(await countOpen(user)).toEqual({ open: 0, held: "0" });
    const [late] = await selectRows<{ late: number }>(
      await getDb(),
      sql`select count(*)::integer as late from account_events as opened
        where user_id = ${userId} and type in ('order.opened', 'order.filled')
          and seq > (select seq from account_events where user_id = ${userId}
            and type = 'trading.frozen')`,
    );
    expect(late).toEqual({ late: 0 });
  });

  // A transaction that fails loses its place in the queue.
  it.runIf(isServer)("comes before the orders that begin while it waits for others", async () => {
    onTestFinished(pauseFailures());
    const user = await makeUser();
    const { userId } = user;
    const db = await getDb();
    let freezing: Promise<unknown> = Promise.resolve();
    let placing = Promise.resolve<Awaited<ReturnType<typeof place>> | null>(null);
    // Stands for an order that is in flight.
    await withTransaction(async (tx) => {
      await tx.execute(sql`select ${takeOrderTurn(userId)}`);
      freezing = freeze({ userId, subject: { scope: "user" }, reason: REASON });
      await untilWaiting(db, 1);
      placing = place(user, restingBuy());
      await untilWaiting(db, 2);
    });
    await freezing;
    expect(await placing).toMatchObject({ status: null, code: "TRADING_FROZEN" });
  });

  it.runIf(isServer)("comes before a split and a claim that begin while it waits", async () => {
    onTestFinished(pauseFailures());
    const user = await makeUser();
    const { userId, principal } = user;
    const market = freshMarket({ inside: 0, closesAfter: MINUTE });
    await splitOrMerge(principal, "split", { marketId: market.id, shares: shares(1_000_000n) });
    const open = { marketId: freshMarket().id, shares: shares(1_000_000n) };
    clock.set(market.resolvesAt);
    const before = await readCashBalance(user);
    const db = await getDb();
    const waiting: Promise<unknown>[] = [];
    // Stands for an order that is in flight.
    await withTransaction(async (tx) => {
      await tx.execute(sql`select ${takeOrderTurn(userId)}`);
      waiting.push(freeze({ userId, subject: { scope: "user" }, reason: REASON }));
      await untilWaiting(db, 1);
      waiting.push(splitOrMerge(principal, "split", open));
      waiting.push(redeemPosition(principal, getToken(market, 0)));
      await untilWaiting(db, 3);
    });
    const [, ...refused] = await Promise.allSettled(waiting);
    const failure = { status: "rejected", reason: { code: "TRADING_FROZEN" } };
    expect(refused).toMatchObject([failure, failure]);
    expect(await readCashBalance(user)).toEqual(before);
  });

  it("that died before it canceled is finished by the sweep", async () => {
    const user = await makeUser();
    await place(user, restingBuy());
    await (
      await getDb()
    ).execute(sql`insert into limit_rules
      (user_id, scope, subject, limits, frozen_at, frozen_reason, updated_at)
      values (${user.userId}, 'user', '', '{}', now(), ${REASON}, now())`);
    await cancelFrozenOrders();
    expect(await countOpen(user)).toMatchObject({ open: 0 });
  });
});
