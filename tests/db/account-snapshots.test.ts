import { type SQL, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { appendMissingSnapshots, createMissingCash } from "@/lib/db/account-snapshots";
import { getDatabase, getDb, selectRows } from "@/lib/db/client";
import { verifyChangedLogs, verifyLogs } from "@/lib/ledger/verify-logs";
import { shares, usdc } from "@/lib/units";
import { openAgain, useFreshDatabase } from "@/tests/support/database/fresh-database";
import { expectLogGivesBooks, readEpoch } from "@/tests/support/events/fold";
import { findPriceInside, freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { liveRandomly } from "@/tests/support/exchange/random-trading";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const isServer = process.env["TEST_DATABASE"] === "postgres";
afterEach(async () => {
  await snapshot();
  expect(await verifyLogs()).toEqual([]);
  expect(await verifyChangedLogs()).toEqual([]);
});

const LONG = 300_000;
const change = async (statement: SQL) => (await getDb()).execute(statement);
const snapshot = async () => appendMissingSnapshots(await getDatabase());

/** Removes the logs, as in a database of the version before. */
async function forgetLogs(): Promise<void> {
  await change(sql`alter table account_events disable trigger all`);
  await change(sql`delete from account_events`);
  await change(sql`alter table account_events enable trigger all`);
  await change(sql`delete from account_log_checks`);
  await change(sql`update ledger_accounts set version = 0, is_behind = true`);
}

async function makeTrader(): Promise<TestUser & { orderId: string }> {
  const user = await makeUser();
  const market = freshMarket();
  const buy = { market, action: "BUY", outcome: 0 } as const;
  await place(user, { ...buy, amount: usdc(10_000_000n) });
  const size = shares(20_000_000n);
  const { orderId } = await place(user, { ...buy, limit: findPriceInside(market)(0), size });
  return { ...user, orderId };
}

async function isBehind({ userId }: TestUser): Promise<boolean> {
  const [row] = await selectRows<{ is_behind: boolean }>(
    await getDb(),
    sql`select is_behind from ledger_accounts join users on users.id = user_id
        where user_id = ${userId} and kind = 'available' and asset = 'usdc'
          and ledger_accounts.epoch = users.epoch`,
  );
  return row?.is_behind === true;
}

describe("accounts from before the log", () => {
  it(
    "get one snapshot, after which their logs give the books",
    async () => {
      const users = await liveRandomly(clock, { seed: 7, operations: 120, width: 4, users: 5 });
      await forgetLogs();
      expect(await snapshot()).toBe(users.length);
      expect(await snapshot()).toBe(0);
      for (const user of users) {
        const [first, ...rest] = await readEpoch(user.apiKey);
        expect(first).toMatchObject({ type: "account.snapshot", seq: 1 });
        expect(rest).toEqual([]);
      }
      expect(await verifyLogs()).toEqual([]);
      for (const user of users) await deposit(user.userId, usdc(1_000_000n));
    },
    LONG,
  );

  it.skipIf(!isServer)(
    "get it once when processes start at once while users trade (server only)",
    async () => {
      const users = await liveRandomly(clock, { seed: 8, operations: 60, width: 4, users: 6 });
      await forgetLogs();
      const [{ accounts } = { accounts: 0 }] = await selectRows<{ accounts: number }>(
        await getDb(),
        sql`select count(*)::integer as accounts from users`,
      );
      const others = await Promise.all([openAgain({}), openAgain({}), openAgain({})]);
      const trading = liveRandomly(clock, { seed: 9, operations: 60, width: 4, users: 4 });
      const deposits = users.map(({ userId }) => deposit(userId, usdc(1_000_000n)));
      const counts = await Promise.all(others.map(appendMissingSnapshots));
      await Promise.all([trading, ...deposits]);
      await Promise.all(others.map((database) => database.close()));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(accounts);
      const [{ snapshots } = { snapshots: 0 }] = await selectRows<{ snapshots: number }>(
        await getDb(),
        sql`select count(*)::integer as snapshots from account_events
            where type = 'account.snapshot'
              and user_id in (${sql.join(
                users.map(({ userId }) => sql`${userId}`),
                sql`, `,
              )})`,
      );
      expect(snapshots).toBe(users.length);
      expect(await verifyLogs()).toEqual([]);
    },
    LONG,
  );

  it("without any money get a cash row and a snapshot", async () => {
    const user = await makeUser();
    await forgetLogs();
    await change(sql`delete from ledger_accounts where user_id = ${user.userId}`);
    await createMissingCash(await getDatabase());
    await snapshot();
    const [first] = await readEpoch(user.apiKey);
    expect(first).toMatchObject({
      type: "account.snapshot",
      data: { balance: { balanceUsdc: 0 } },
    });
    await change(
      sql`delete from ledger_accounts where id like 'external/' || ${user.userId} || '%'`,
    );
  });

  it("go on with the next number after a reset", async () => {
    const user = await makeTrader();
    await forgetLogs();
    await snapshot();
    await resetAccount(user.principal, usdc(5_000_000n));
    const types = (await expectLogGivesBooks(user)).map(({ type }) => type);
    expect(types[0]).toBe("account.snapshot");
    expect(types.slice(-3)).toEqual(["account.reset", "deposit.created", "balance.changed"]);
  });
});

describe("a change by a process of the version before", () => {
  const cases: Record<string, (user: TestUser & { orderId: string }) => Promise<unknown>> = {
    "of the cash": ({ userId }) =>
      change(sql`update ledger_accounts set balance_micro = balance_micro
        where id = ${`${userId}/1/usdc/available`}`),
    "of an order": ({ orderId }) =>
      change(sql`with changed as (
          update orders set updated_at = updated_at + interval '1 second' where id = ${orderId})
        insert into order_events (order_id, type, detail, created_at)
        values (${orderId}, 'opened', '{}', now())`),
    "that claims worthless shares": ({ userId }) =>
      change(sql`with held as (
          select * from positions where user_id = ${userId} limit 1
        ), closed as (
          update positions set shares_micro = 0, cost_micro = 0, realized_pnl_micro = -cost_micro
          where user_id = ${userId})
        insert into ledger_transfers
          (id, kind, asset, debit_account, credit_account, amount_micro, group_id, created_at)
        select 'redeem/' || token_id || '/' || ${userId}, 'redeem', token_id,
          user_id || '/1/' || token_id || '/available', 'issuance/token/' || token_id, shares_micro,
          'redeem/' || token_id || '/' || ${userId}, now() from held`),
  };
  it.each(Object.entries(cases))("%s leads to another snapshot", async (_, work) => {
    const user = await makeTrader();
    expect(await isBehind(user)).toBe(false);
    await work(user);
    expect(await isBehind(user)).toBe(true);
    expect(await snapshot()).toBe(1);
    expect(await isBehind(user)).toBe(false);
    const log = await expectLogGivesBooks(user);
    expect(log.at(-1)?.type).toBe("account.snapshot");
  });

  it("that resets the account is an event before the snapshot", async () => {
    const user = await makeUser();
    await change(sql`update users set epoch = 2 where id = ${user.userId}`);
    await change(sql`insert into ledger_accounts (id, kind, asset, user_id, epoch, balance_micro)
      values (${`${user.userId}/2/usdc/available`}, 'available', 'usdc', ${user.userId}, 2, 0)`);
    expect(await snapshot()).toBe(1);
    const log = await expectLogGivesBooks(user);
    expect(log.slice(-2)).toMatchObject([
      { type: "account.reset", epoch: 1, data: { nextEpoch: 2 } },
      { type: "account.snapshot", epoch: 2 },
    ]);
    await deposit(user.userId, usdc(1_000_000n));
    await expectLogGivesBooks(user);
  });
});
