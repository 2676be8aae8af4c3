import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrders } from "@/lib/orders/cancel-order";
import { price, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { readCashBalance } from "@/tests/support/exchange/ledger";
import { restManyBids } from "@/tests/support/exchange/resting-orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

/** Orders per transaction, and the orders of three transactions: two full ones and a partial one. */
const SLICE = 200;
const COUNT = 2 * SLICE + 50;
/** The order at which the statement fails: in the middle of the second transaction. */
const BROKEN_AT = SLICE + SLICE / 2;
const CENT = price(10_000n);
/** The hold of a bid of `restManyBids` at that price. */
const HOLD = 50_000n;
const RICH = usdc(1_000_000_000n);

afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const HAS_CONNECTIONS = process.env["TEST_DATABASE"] === "postgres";
/** The failure of the statement that cancels this order. */
const BREAKS: [name: string, action: string][] = [
  ["the database refuses a statement", "raise exception 'refused by the test'"],
  ...(HAS_CONNECTIONS
    ? [
        ["the connection ends", "perform pg_terminate_backend(pg_backend_pid())"] as [
          string,
          string,
        ],
      ]
    : []),
];

/** Runs `work` while the database makes one statement fail, once. */
async function whileBroken(action: string, work: () => Promise<void>): Promise<void> {
  const db = await getDb();
  const run = (statement: string) => db.execute(sql.raw(statement));
  // A sequence also counts rolled-back calls, so the repeated statement succeeds.
  await run("create sequence ended_count");
  await run(`create function break_off() returns trigger language plpgsql as $$
    begin
      if nextval('ended_count') = ${BROKEN_AT} then ${action}; end if;
      return new;
    end $$`);
  await run(`create trigger break_off before update on orders for each row
    when (new.status = 'canceled') execute function break_off()`);
  try {
    await work();
  } finally {
    await run("drop trigger break_off on orders");
    await run("drop function break_off");
    await run("drop sequence ended_count");
  }
}

interface Totals {
  open: number;
  canceled: number;
  /** Open orders without a hold, and closed orders with one. */
  contradictory: number;
  /** Number of cancel events of the orders. */
  recorded: number;
}

async function readMarketTotals({ id }: PaperMarket): Promise<Totals> {
  const [row] = await selectRows<Totals>(
    await getDb(),
    sql`select (count(*) filter (where status = 'open'))::int as open,
          (count(*) filter (where status = 'canceled'))::int as canceled,
          (count(*) filter (where (status = 'open') <> (held_micro > 0)))::int as contradictory,
          (select count(*)::int from order_events as event join orders as one
            on one.id = event.order_id
            where one.market_id = ${id} and event.type = 'canceled') as recorded
        from orders where market_id = ${id}`,
  );
  return row ?? expect.fail("counts are one row");
}

const FIRST_SLICE: Totals = {
  open: COUNT - SLICE,
  canceled: SLICE,
  contradictory: 0,
  recorded: SLICE,
};
const ALL: Totals = { open: 0, canceled: COUNT, contradictory: 0, recorded: COUNT };

async function expectHeld(user: TestUser, orders: number): Promise<void> {
  const { held, available } = await readCashBalance(user);
  expect(held).toBe(BigInt(orders) * HOLD);
  expect(held + available).toBe(RICH);
}

describe.each(BREAKS)("%s in the second of three transactions", (_name, action) => {
  it("a cancel of all orders keeps the first transaction, and the next cancel cancels the rest", async () => {
    const [user, market] = [await makeUser(RICH), freshMarket()];
    await restManyBids(user, market, { count: COUNT, at: CENT });
    await whileBroken(action, async () => {
      await expect(cancelOrders(user.principal)).rejects.toThrow();
      expect(await readMarketTotals(market)).toEqual(FIRST_SLICE);
      await expectHeld(user, COUNT - SLICE);
      expect((await verifyBooks()).problems).toEqual([]);
      const { canceled, notCanceled } = await cancelOrders(user.principal);
      expect(new Set(canceled).size).toBe(COUNT - SLICE);
      expect(notCanceled).toEqual([]);
    });
    expect(await readMarketTotals(market)).toEqual(ALL);
    await expectHeld(user, 0);
  });

  it("the close of a market keeps the first transaction, and the next tick cancels the rest", async () => {
    const [user, market] = [await makeUser(RICH), freshMarket()];
    await restManyBids(user, market, { count: COUNT, at: CENT });
    clock.set(market.closesAt);
    await whileBroken(action, async () => {
      await tick();
      expect(await readMarketTotals(market)).toEqual(FIRST_SLICE);
      await expectHeld(user, COUNT - SLICE);
      expect((await verifyBooks()).problems).toEqual([]);
      await tick();
    });
    expect(await readMarketTotals(market)).toEqual(ALL);
    await expectHeld(user, 0);
  });
});
