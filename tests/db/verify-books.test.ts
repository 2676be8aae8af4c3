import { type SQL, sql } from "drizzle-orm";
import { TransactionRollbackError } from "drizzle-orm/errors";
import { beforeAll, describe, expect, it } from "vitest";
import { getDatabase, getDb, selectRows, useDatabase } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import { liveRandomly } from "@/tests/support/exchange/random-trading";

useFreshDatabase();
const clock = useTestClock();
const SEED = 20_261_121;
const OPERATIONS = 300;

beforeAll(async () => {
  await liveRandomly(clock, { seed: SEED, operations: OPERATIONS, width: 4, users: 5 });
}, 120_000);

const readRows = async <T>(statement: SQL): Promise<T[]> => selectRows<T>(await getDb(), statement);

async function one<T>(statement: SQL): Promise<T> {
  const [row] = await readRows<T>(statement);
  if (row === undefined) throw new Error("the random life left what this test needs");
  return row;
}

/** Returns the report after the statements. Both run in one transaction, which is rolled back. */
async function problemsAfter(...statements: SQL[]): Promise<string[]> {
  const database = await getDatabase();
  let problems: string[] = [];
  const attempt = database.db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(statement);
    useDatabase({ ...database, db: tx, transaction: (work) => tx.transaction(work) });
    try {
      const report = await verifyBooks();
      expect(report.ok).toBe(report.problems.length === 0);
      problems = report.problems;
    } finally {
      useDatabase(database);
    }
    tx.rollback();
  });
  await expect(attempt).rejects.toThrow(TransactionRollbackError);
  return problems;
}

/** Disables the triggers that prevent changes, even by the owner of the database. */
const unlocked = (table: "ledger_transfers" | "fills" | "order_events") =>
  sql.raw(`alter table ${table} disable trigger all`);

describe("books after random trading", () => {
  it(`of 5 users and ${OPERATIONS} operations (seed ${SEED}) leaves the books in order`, async () => {
    const report = await verifyBooks();
    expect(report.problems).toEqual([]);
    expect(report.ok).toBe(true);
    const counts = await one(sql`select (select count(*)::int from ledger_transfers) as transfers,
      (select count(*)::int from ledger_accounts) as accounts,
      (select count(*)::int from orders) as orders`);
    expect(report).toMatchObject(counts as object);
  });

  it("contain all kinds of transfers, orders and positions that the checks cover", async () => {
    const kinds = await readRows<{ kind: string }>(
      sql`select distinct kind from ledger_transfers order by kind`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      "deposit",
      "fee",
      "hold",
      "merge",
      "merge_positions",
      "mint",
      "redeem",
      "release",
      "split_position",
      "trade",
    ]);
    const states = await readRows<{ status: string }>(sql`select distinct status from orders`);
    expect(states.map(({ status }) => status)).toEqual(
      expect.arrayContaining(["canceled", "filled", "rejected"]),
    );
  });

  it("agree after all markets have closed and resolved", async () => {
    clock.advance(30 * 24 * 60 * MINUTE);
    await tick();
    expect((await verifyBooks()).problems).toEqual([]);
    const live = await readRows(sql`select id from orders where status in ('open', 'delayed')
      and market_id in (select id from markets where closes_at <= ${new Date(clock.now)})`);
    expect(live).toEqual([]);
  });
});

describe("the verification reports", () => {
  it("no problem for unchanged books", async () => {
    expect(await problemsAfter()).toEqual([]);
  });

  it("a balance that differs from its transfers, and its asset's imbalance", async () => {
    const { id, balance } = await one<{ id: string; balance: string }>(
      sql`select id, balance_micro::text as balance from ledger_accounts
          where kind = 'available' and asset = 'usdc' and balance_micro > 0 limit 1`,
    );
    const problems = await problemsAfter(
      sql`update ledger_accounts set balance_micro = balance_micro + 1 where id = ${id}`,
    );
    expect(problems).toEqual([
      `account ${id} has ${BigInt(balance) + 1n}, its transfers add up to ${balance}`,
      "asset usdc does not add up: 1",
    ]);
  });

  it("a missing ledger account", async () => {
    const { id, balance } = await one<{ id: string; balance: string }>(
      sql`select id, balance_micro::text as balance from ledger_accounts
          where kind = 'fees' and balance_micro > 0 limit 1`,
    );
    const problems = await problemsAfter(sql`delete from ledger_accounts where id = ${id}`);
    expect(problems).toContain(`account ${id} has 0, its transfers add up to ${balance}`);
  });

  it("a negative balance of a user", async () => {
    const { id } = await one<{ id: string }>(
      sql`select id from ledger_accounts where kind = 'held' and asset = 'usdc' limit 1`,
    );
    const problems = await problemsAfter(
      sql`alter table ledger_accounts drop constraint ledger_accounts_not_negative`,
      sql`update ledger_accounts set balance_micro = -5 where id = ${id}`,
    );
    expect(problems).toContain(`account ${id} is negative: -5`);
  });

  it.each([
    ["deleted", sql`delete from ledger_transfers where id = `],
    ["doubled", sql`update ledger_transfers set amount_micro = amount_micro * 2 where id = `],
  ])("a transfer that was %s", async (_, statement) => {
    const { id, debit, credit } = await one<{ id: string; debit: string; credit: string }>(
      sql`select id, debit_account as debit, credit_account as credit from ledger_transfers
          where kind = 'fee' limit 1`,
    );
    const problems = await problemsAfter(unlocked("ledger_transfers"), sql`${statement}${id}`);
    expect(problems).toHaveLength(2);
    for (const account of [debit, credit]) {
      expect(problems).toContainEqual(expect.stringMatching(`^account ${escape(account)} has `));
    }
  });

  it("a held balance that differs from the holds of live orders", async () => {
    const { order, user, held, own } = await one<Record<"order" | "user" | "held" | "own", string>>(
      sql`select o.id as order, o.user_id as user, a.balance_micro::text as held,
            a.balance_micro::text as own
          from orders o join ledger_accounts a on a.kind = 'held' and a.asset = 'usdc'
            and a.user_id = o.user_id and a.epoch = o.epoch
          where o.action = 'BUY' and o.status = 'filled' limit 1`,
    );
    const problems = await problemsAfter(sql`update orders set held_micro = 3 where id = ${order}`);
    expect(problems).toEqual([
      `held usdc of ${user} is ${held}, live orders hold ${BigInt(own) + 3n}`,
      `order ${order} is filled and still holds 3`,
    ]);
  });

  it.each(["filled_shares_micro", "filled_notional_micro", "fee_micro"])(
    "an order whose %s differs from its fills",
    async (column) => {
      const { id } = await one<{ id: string }>(
        sql`select id from orders where status = 'canceled' and filled_shares_micro > 0 limit 1`,
      );
      const problems = await problemsAfter(
        sql`update orders set ${sql.raw(column)} = ${sql.raw(column)} + 1 where id = ${id}`,
      );
      expect(problems).toEqual([
        expect.stringMatching(`^order ${id} shows \\d+ filled, its fills add up to \\d+$`),
      ]);
    },
  );

  it("a deleted fill, by its order and its position", async () => {
    const { id, order, holding } = await one<Record<"id" | "order" | "holding", string>>(
      sql`select f.id, f.order_id as order, f.user_id || '/' || f.epoch || '/' || f.token_id as holding
          from fills f where f.action = 'BUY' and not exists (select 1 from fills s
            where s.user_id = f.user_id and s.token_id = f.token_id and s.action = 'SELL')
          and exists (select 1 from positions p where p.user_id = f.user_id and p.epoch = f.epoch
            and p.token_id = f.token_id and p.shares_micro > f.shares_micro)
          limit 1`,
    );
    const problems = await problemsAfter(
      unlocked("fills"),
      sql`delete from fills where id = ${id}`,
    );
    expect(problems).toContainEqual(expect.stringMatching(`^order ${order} shows `));
    expect(problems).toContain(`position ${holding} does not follow from its fills`);
  });

  it("a deleted fill whose shares were sold or claimed later", async () => {
    const { order, user, token } = await one<Record<"order" | "user" | "token", string>>(
      sql`select f.order_id as order, f.user_id as user, f.token_id as token
          from fills f join positions p on p.user_id = f.user_id and p.epoch = f.epoch
            and p.token_id = f.token_id
          where f.action = 'BUY' and p.shares_micro = 0 limit 1`,
    );
    const problems = await problemsAfter(
      unlocked("fills"),
      sql`delete from fills where user_id = ${user} and token_id = ${token} and action = 'BUY'`,
    );
    expect(problems).toContainEqual(expect.stringMatching(`^order ${order} shows `));
    expect(problems).toContainEqual(
      expect.stringMatching(`^position ${user}/\\d+/${token} does not follow from its fills$`),
    );
  });

  it("a fill worse than the limit of its order", async () => {
    const { id, order } = await one<{ id: string; order: string }>(
      sql`select f.id, o.id as order from fills f join orders o on o.id = f.order_id
          where o.action = 'BUY' and o.type = 'limit' and f.price_micro > 1 limit 1`,
    );
    const problems = await problemsAfter(
      sql`update orders set price_micro = 1 where id = ${order}`,
    );
    expect(problems).toContain(`fill ${id} is worse than the limit of its order`);
  });

  it.each(["cost_micro", "realized_pnl_micro"])(
    "a position whose %s differs from its fills",
    async (column) => {
      const { holding, token } = await one<{ holding: string; token: string }>(
        sql`select user_id || '/' || epoch || '/' || token_id as holding, token_id as token
            from positions where shares_micro > 0 limit 1`,
      );
      const [user, epoch] = holding.split("/");
      const problems = await problemsAfter(
        sql`update positions set ${sql.raw(column)} = ${sql.raw(column)} + 1
            where user_id = ${user} and epoch = ${epoch}::int and token_id = ${token}`,
      );
      expect(problems).toEqual([`position ${holding} does not follow from its fills`]);
    },
  );

  it.each([
    ["shares it does not have", sql`update positions set shares_micro = shares_micro + 1`, 1n],
    ["been deleted", sql`delete from positions`, null],
  ])("a position that has %s", async (_, statement, change) => {
    const { user, epoch, token, held } = await one<
      Record<"user" | "epoch" | "token" | "held", string>
    >(
      sql`select user_id as user, epoch::text as epoch, token_id as token,
            shares_micro::text as held
          from positions where shares_micro > 0 limit 1`,
    );
    const shown = change === null ? 0n : BigInt(held) + change;
    const problems = await problemsAfter(
      sql`${statement} where user_id = ${user} and epoch = ${epoch}::int and token_id = ${token}`,
    );
    expect(problems).toEqual([`position ${token} of ${user} shows ${shown}, the ledger ${held}`]);
  });

  it("a market whose collateral differs from the value of its shares", async () => {
    const { market, locked, first, second } = await one<
      Record<"market" | "locked" | "first" | "second", string>
    >(
      sql`select m.id as market, c.balance_micro::text as locked, (-f.balance_micro)::text as first,
            (-s.balance_micro)::text as second
          from markets m join ledger_accounts c on c.id = 'collateral/' || m.id || '/usdc'
            join ledger_accounts f on f.id = 'issuance/token/' || m.first_token
            join ledger_accounts s on s.id = 'issuance/token/' || m.second_token
          where c.balance_micro > 0 limit 1`,
    );
    const problems = await problemsAfter(
      sql`update ledger_accounts set balance_micro = balance_micro - 1
          where id = ${`collateral/${market}/usdc`}`,
    );
    expect(problems).toContain(
      `market ${market} has ${BigInt(locked) - 1n} locked for ${first} and ${second} shares`,
    );
  });

  it("an order without a key, a key without an order, and a key without a response", async () => {
    const { order } = await one<{ order: string }>(
      sql`select order_id as order from idempotency_keys limit 1`,
    );
    expect(
      await problemsAfter(sql`delete from idempotency_keys where order_id = ${order}`),
    ).toEqual([`order ${order} belongs to no idempotency key`]);
    expect(
      await problemsAfter(sql`update idempotency_keys set body = null where order_id = ${order}`),
    ).toEqual([`idempotency key of order ${order} has no answer`]);
    expect(
      await problemsAfter(
        sql`update idempotency_keys set order_id = 'ord_lost' where order_id = ${order}`,
      ),
    ).toEqual(
      expect.arrayContaining([
        `order ${order} belongs to no idempotency key`,
        "idempotency key of order ord_lost has no order",
      ]),
    );
  });

  it("no problem after a change is undone", async () => {
    expect((await verifyBooks()).problems).toEqual([]);
  });
});

const escape = (text: string) => text.replaceAll(/[/.*+?^${}()|[\]\\]/g, "\\$&");
