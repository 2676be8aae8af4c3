import { type SQL, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { deposit } from "@/lib/accounts/deposit";
import { getDb, selectRows } from "@/lib/db/client";
import { tick } from "@/lib/exchange/ticker";
import { checkSinceCheckpoint } from "@/lib/ledger/books-checkpoint";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { verifyChangedLogs, verifyLogs } from "@/lib/ledger/verify-logs";
import { shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { expectLogGivesBooks } from "@/tests/support/events/fold";
import { findPriceInside, freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { liveRandomly } from "@/tests/support/exchange/random-trading";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => {
  expect((await verifyBooks()).problems).toEqual([]);
  expect(await verifyLogs()).toEqual([]);
});

const LONG = 300_000;
const SEED = 20_261_123;
const change = async (statement: SQL) => (await getDb()).execute(statement);
const one = async <T>(statement: SQL): Promise<T> => {
  const [row] = await selectRows<T>(await getDb(), statement);
  if (row === undefined) throw new Error("the random life left what this test needs");
  return row;
};

describe("the log of a paper account", () => {
  it(
    "gives the books of 200 users after random trading",
    async () => {
      const types = new Set<string>();
      for (const seed of [SEED, SEED + 1]) {
        const users = await liveRandomly(clock, { seed, operations: 800, width: 8, users: 100 });
        for (const user of users) {
          for (const { type } of await expectLogGivesBooks(user)) types.add(type);
        }
        expect(await verifyLogs()).toEqual([]);
        expect(await verifyChangedLogs()).toEqual([]);
      }
      expect([...types]).toEqual(
        expect.arrayContaining([
          "account.reset",
          "balance.changed",
          "deposit.created",
          "fill.created",
          "key.created",
          "order.canceled",
          "order.delayed",
          "order.filled",
          "order.opened",
          "order.partially_filled",
          "order.received",
          "position.changed",
        ]),
      );
    },
    LONG,
  );

  it(
    "gives the books of few users who trade much with each other, also between checks",
    async () => {
      for (const seed of [1, 2, 3]) {
        const users = await liveRandomly(clock, { seed, operations: 150, width: 4, users: 4 });
        expect((await checkSinceCheckpoint()).problems).toEqual([]);
        for (const user of users) await expectLogGivesBooks(user);
        await tick();
        for (const user of users) await expectLogGivesBooks(user);
        expect((await checkSinceCheckpoint()).problems).toEqual([]);
      }
    },
    LONG,
  );

  it(
    "has every number once when takers trade with the account while it gets deposits",
    async () => {
      const market = freshMarket();
      const [at, size] = [findPriceInside(market)(2), shares(20_000_000n)];
      const [maker, taker] = [
        await makeUser(usdc(1_000_000_000_000n)),
        await makeUser(usdc(1_000_000_000_000n)),
      ];
      const base = { market, outcome: 0, limit: at, size } as const;
      const small = { ...base, size: shares(5_000_000n) };
      for (let round = 0; round < 60; round += 1) {
        // A buyer of the other outcome takes the resting order, which mints pairs.
        const opposite = { market, outcome: 1, size: small.size } as const;
        await Promise.all([
          place(maker, { ...base, action: "BUY" }),
          place(taker, { ...opposite, action: "BUY", limit: toComplement(at) }),
          deposit(maker.userId, usdc(1_000_000n)),
          place(taker, { ...opposite, action: "BUY", limit: toComplement(at) }),
          deposit(maker.userId, usdc(2_000_000n)),
          deposit(taker.userId, usdc(3_000_000n)),
        ]);
      }
      for (const user of [maker, taker]) {
        const log = await expectLogGivesBooks(user);
        expect(log.length).toBeGreaterThan(300);
      }
    },
    LONG,
  );
});

const toComplement = (at: bigint) => (1_000_000n - at) as never;

describe("the verification of the logs", () => {
  const verifyBoth = async () => [await verifyLogs(), await verifyChangedLogs()];
  const unlocked = async (work: () => Promise<unknown>) => {
    await change(sql`alter table account_events disable trigger all`);
    await work();
    await change(sql`alter table account_events enable trigger all`);
  };
  const makeTrader = async (): Promise<TestUser & { cashId: string; orderId: string }> => {
    const user = await makeUser();
    const market = freshMarket();
    const buy = { market, action: "BUY", outcome: 0 } as const;
    await place(user, { ...buy, amount: usdc(10_000_000n) });
    const size = shares(20_000_000n);
    const { orderId } = await place(user, { ...buy, limit: findPriceInside(market)(0), size });
    return { ...user, cashId: `${user.userId}/1/usdc/available`, orderId };
  };

  it("reports a missing event", async () => {
    const { userId, cashId } = await makeTrader();
    const { event } = await one<{ event: string }>(
      sql`select row_to_json(account_events)::text as event from account_events
          where user_id = ${userId} and seq = 3`,
    );
    await unlocked(() =>
      change(sql`delete from account_events where user_id = ${userId} and seq = 3`),
    );
    for (const problems of await verifyBoth()) {
      expect(problems.join()).toMatch(new RegExp(`log of ${cashId} has \\d+ events after 0`));
    }
    await unlocked(() =>
      change(sql`insert into account_events
        select * from json_populate_record(null::account_events, ${event}::text::json)`),
    );
    for (const problems of await verifyBoth()) expect(problems).toEqual([]);
  });

  it("reports a version that is not the last number", async () => {
    const { cashId } = await makeTrader();
    const add = (by: number) =>
      change(
        sql`update ledger_accounts set version = version + ${by}::integer where id = ${cashId}`,
      );
    await add(1);
    for (const problems of await verifyBoth()) {
      expect(problems).toEqual([expect.stringContaining(`log of ${cashId} has`)]);
    }
    await add(-1);
    for (const problems of await verifyBoth()) expect(problems).toEqual([]);
  });

  it("reports an event that says something else than the books", async () => {
    const { userId, cashId } = await makeTrader();
    const { number, data } = await one<{ number: string; data: string }>(
      sql`select seq::text as number, data::text from account_events
          where user_id = ${userId} and type = 'balance.changed' order by seq desc limit 1`,
    );
    const write = (text: string) =>
      unlocked(() =>
        change(sql`update account_events set data = ${text}::text::json
          where user_id = ${userId} and seq = ${number}::text::bigint`),
      );
    await write('{"available":"1","held":"2"}');
    for (const problems of await verifyBoth()) {
      expect(problems).toEqual([
        expect.stringContaining(`log of ${cashId} gives 1 available and 2 held, the books have`),
      ]);
    }
    await write(data);
    for (const problems of await verifyBoth()) expect(problems).toEqual([]);
  });

  it("reports an order and a position that were changed without an event", async () => {
    const { userId, cashId, orderId } = await makeTrader();
    const touch = (by: number) =>
      change(sql`update orders set updated_at = updated_at + ${by}::integer * interval '1 second'
        where id = ${orderId}`);
    await touch(1);
    for (const problems of await verifyBoth()) {
      expect(problems).toEqual([
        expect.stringContaining(`log of ${cashId} gives order ${orderId} as open filled 0`),
      ]);
    }
    await touch(-1);
    const add = (by: number) =>
      change(sql`update positions set cost_micro = cost_micro + ${by}::integer
        where user_id = ${userId}`);
    await add(1);
    for (const problems of await verifyBoth()) {
      expect(problems).toEqual([expect.stringContaining(`log of ${cashId} gives position`)]);
    }
    await add(-1);
    for (const problems of await verifyBoth()) expect(problems).toEqual([]);
  });

  it("reports an order without any event that is open or waits for approval", async () => {
    const { cashId, orderId } = await makeTrader();
    for (const status of ["open", "pending_approval"]) {
      const id = `${orderId}-${status}`;
      await change(sql`insert into orders select (jsonb_populate_record(placed, jsonb_build_object(
          'id', ${id}::text, 'status', ${status}::text, 'sequence', -placed.sequence))).*
        from orders as placed where id = ${orderId}`);
      expect(await verifyLogs()).toEqual([
        expect.stringContaining(`log of ${cashId} gives order ${id} as none`),
      ]);
      await change(sql`delete from orders where id = ${id}`);
    }
    expect(await verifyLogs()).toEqual([]);
  });

  it("of changed accounts compares the state of the last check with the books, too", async () => {
    const { userId, cashId, orderId } = await makeTrader();
    expect(await verifyChangedLogs()).toEqual([]);
    const setStatus = (status: string) =>
      change(sql`update orders set status = ${status} where id = ${orderId}`);
    await deposit(userId, usdc(1_000_000n));
    await setStatus("canceled");
    expect(await verifyChangedLogs()).toEqual([
      expect.stringContaining(`log of ${cashId} gives order ${orderId} as open`),
    ]);
    await setStatus("open");
    expect(await verifyChangedLogs()).toEqual([]);
  });
});
