import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, describe, expect, inject, it, vi } from "vitest";
import { getDatabase, openPostgres, selectRows } from "@/lib/db/client";
import type { Database, Tx } from "@/lib/db/database";
import { migrateDatabase } from "@/lib/db/migrate";
import { log } from "@/lib/log";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeNextVersion } from "@/tests/support/product/next-version";

useFreshDatabase();

const isServer = process.env["TEST_DATABASE"] === "postgres";
const undo: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

/** Everything that a migration creates, with its time. */
async function describeSchema({ db }: Database): Promise<Record<string, unknown[]>> {
  const read = (statement: string) => selectRows(db, sql.raw(statement));
  return {
    columns: await read(`select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by 1, 2`),
    indexes: await read(`select indexname, indexdef from pg_indexes
      where schemaname = 'public' order by 1`),
    constraints: await read(`select conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
    triggers: await read(`select tgname, tgrelid::regclass::text as on, tgtype from pg_trigger
      where not tgisinternal order by 1`),
    migrations: await read(`select hash, applied_at::text from schema_migrations order by hash`),
  };
}

/** Opens pools on a new, empty database, like several processes that start together. */
async function emptyServerDatabase(
  processes: number,
  settings: Record<string, string> = {},
  connections = 2,
): Promise<Database[]> {
  const name = `migrate_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("postgresUrl"));
  const admin = new Client({ connectionString: url.toString() });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  for (const [setting, value] of Object.entries(settings)) url.searchParams.set(setting, value);
  const databases = Array.from({ length: processes }, () =>
    openPostgres(url.toString(), { size: connections, pooler: "none" }),
  );
  undo.push(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return databases;
}

describe("migrating", () => {
  it("a second time changes nothing", async () => {
    const database = await getDatabase();
    const before = await describeSchema(database);
    await migrateDatabase(database);
    await migrateDatabase(database);
    expect(await describeSchema(database)).toEqual(before);
    expect(before["migrations"]?.length).toBeGreaterThan(0);
  });

  it("creates the append-only triggers", async () => {
    const { triggers } = await describeSchema(await getDatabase());
    const tables = (triggers ?? []).map((trigger) => (trigger as { on: string }).on);
    expect(tables).toEqual(expect.arrayContaining(["ledger_transfers", "order_events", "fills"]));
  });

  it.skipIf(!isServer)(
    "an empty database from four processes concurrently succeeds in all of them (server only)",
    async () => {
      const databases = await emptyServerDatabase(4);
      const ends = await Promise.allSettled(databases.map((database) => migrateDatabase(database)));
      expect(ends.map(({ status }) => status)).toEqual(Array(4).fill("fulfilled"));
      const [first] = databases;
      if (!first) throw new Error("there are four databases");
      const { migrations, ...schema } = await describeSchema(first);
      const { migrations: once, ...expected } = await describeSchema(await getDatabase());
      expect(schema).toEqual(expected);
      expect(migrations).toHaveLength(once?.length ?? 0);
    },
  );

  it.skipIf(!isServer)(
    "a new database leaves nothing after a failure, and the next attempt succeeds (server only)",
    async () => {
      const [database] = await emptyServerDatabase(1);
      if (!database) throw new Error("there is a database");
      // An existing table makes a statement in the middle of the migration fail.
      await database.db.execute(sql`create table positions (in_the_way int)`);
      await expect(migrateDatabase(database)).rejects.toThrow();
      const tables = await selectRows<{ name: string }>(
        database.db,
        sql`select tablename as name from pg_tables where schemaname = 'public'`,
      );
      expect(tables).toEqual([{ name: "positions" }]);
      await database.db.execute(sql`drop table positions`);
      await migrateDatabase(database);
      const { migrations } = await describeSchema(database);
      expect(migrations?.length).toBeGreaterThan(0);
    },
  );

  it.skipIf(!isServer)(
    "a database in use keeps the completed statements after a failure and continues there (server only)",
    async () => {
      const [database] = await emptyServerDatabase(1);
      if (!database) throw new Error("there is a database");
      await migrateDatabase(database);
      const { migrations: before } = await describeSchema(database);
      const next = nextVersion([
        "alter table orders add column next int",
        "create table in_the_way (id int)",
        "alter table fills add column next int",
      ]);
      await database.db.execute(sql`create table in_the_way (other int)`);
      await expect(migrateDatabase(database, next)).rejects.toThrow("already exists");
      expect(await hasNext(database)).toBe(true);
      await database.db.execute(sql`drop table in_the_way`);
      await migrateDatabase(database, next);
      await migrateDatabase(database, next);
      const { columns, migrations } = await describeSchema(database);
      const added = (columns ?? []).map(
        (row) => row as { table_name: string; column_name: string },
      );
      expect(
        added.filter(({ column_name: name }) => name === "next").map((row) => row.table_name),
      ).toEqual(["fills", "orders"]);
      expect(migrations).toHaveLength((before?.length ?? 0) + 3);
    },
  );

  it.skipIf(!isServer)(
    "locks one table at a time, so that it finishes under any load (server only)",
    async () => {
      const [database, users] = await emptyServerDatabase(2, {}, 8);
      if (!database || !users) throw new Error("there are two connections' pools");
      await migrateDatabase(database);
      const tables = ["orders", "fills", "ledger_accounts", "idempotency_keys"];
      const next = nextVersion(tables.map((name) => `alter table ${name} add column next int`));
      const state = { isDone: false, turns: 0 };
      // Each transaction locks one table and then another, in every order, continuously.
      const use = async (first: string, second: string) => {
        while (!state.isDone) {
          await users.db.transaction(async (tx) => {
            await tx.execute(sql.raw(`lock table ${first} in row exclusive mode`));
            await tx.execute(sql`select pg_sleep(0.02)`);
            await tx.execute(sql.raw(`lock table ${second} in row exclusive mode`));
          });
          state.turns += 1;
        }
      };
      const pairs = tables.flatMap((first, index) => [
        use(first, tables[(index + 1) % tables.length] ?? ""),
        use(tables[(index + 1) % tables.length] ?? "", first),
      ]);
      const warned = vi.spyOn(log, "warn");
      await migrateDatabase(database, next).finally(() => {
        state.isDone = true;
      });
      await Promise.all(pairs);
      expect(await hasNext(database)).toBe(true);
      expect(state.turns).toBeGreaterThan(0);
      const failures = warned.mock.calls.map(([, fields]) => String(fields?.error));
      expect(failures.filter((failure) => failure.includes("deadlock"))).toEqual([]);
      warned.mockRestore();
    },
  );

  it.skipIf(!isServer)(
    "may take longer than the statement timeout, also for processes that wait for it (server only)",
    async () => {
      const databases = await emptyServerDatabase(2, {
        statement_timeout: "200",
        lock_timeout: "200",
      });
      const next = nextVersion(["select pg_sleep(0.6)", "alter table orders add column next int"]);
      const work = databases.map((database) => migrateDatabase(database, next));
      expect((await Promise.allSettled(work)).map(({ status }) => status)).toEqual([
        "fulfilled",
        "fulfilled",
      ]);
      for (const database of databases) expect(await hasNext(database)).toBe(true);
      // Afterwards the connections have their former limits.
      const [first] = databases;
      await expect(first?.db.execute(sql`select pg_sleep(5)`)).rejects.toThrow("statement timeout");
    },
  );

  it.skipIf(!isServer)(
    "waits for a locked table without blocking others, and continues when it is free (server only)",
    async () => {
      const [database, user] = await emptyServerDatabase(2);
      if (!database || !user) throw new Error("there are two connections' pools");
      await migrateDatabase(database);
      const next = nextVersion(["alter table orders add column next int"]);
      const state = { isDone: false };
      const migrate = async () => {
        await migrateDatabase(database, next);
        state.isDone = true;
      };
      let migrating = Promise.resolve();
      await user.db.transaction(async (tx) => {
        // Like a backup.
        await tx.execute(sql`select count(*) from orders`);
        migrating = migrate();
        await expect.poll(() => isSomebodyWaiting(user), { timeout: 10_000 }).toBe(true);
        // A new statement queues behind the migration until that stops waiting.
        await user.db.execute(sql`select count(*) from orders`);
        expect(state.isDone).toBe(false);
      });
      await migrating;
      expect(await hasNext(database)).toBe(true);
    },
  );
});

describe("the migration that sums the volumes", () => {
  it.skipIf(!isServer)("counts every fill once while users trade (server only)", async () => {
    const [database, users] = await emptyServerDatabase(2);
    if (!database || !users) throw new Error("there are two connections' pools");
    await migrateDatabase(database);
    await database.db.execute(sql`drop trigger fills_inserted_volumes on fills`);
    const steps = readFileSync("lib/db/migrations/0023_market_volumes.sql", "utf8")
      .split("--> statement-breakpoint")
      .slice(-2);
    const [createTrigger = "", addOlder = ""] = steps;
    // A trade between two users and one with the house, in two markets and hours.
    await insertFills(database.db, "before");
    const run = async (statement: string) => database.db.execute(sql.raw(statement));
    await run(createTrigger);
    await insertFills(database.db, "after");
    let adding: Promise<unknown> = Promise.resolve();
    await users.db.transaction(async (tx) => {
      await insertFills(tx, "meanwhile");
      adding = run(addOlder);
      await expect.poll(() => isWaitingForRow(users), { timeout: 10_000 }).toBe(true);
    });
    await adding;
    await insertFills(database.db, "later");
    const rows = await selectRows(
      database.db,
      sql`select market_id, extract(hour from hour at time zone 'UTC')::int as hour,
          volume_micro::int as volume from market_volumes order by 1, 2`,
    );
    expect(rows).toEqual([
      { market_id: "first", hour: 10, volume: 4 * 600_000 },
      { market_id: "first", hour: 11, volume: 4 * 400_000 },
      { market_id: "second", hour: 11, volume: 4 * 300_000 },
    ]);
  });
});

/** Inserts trades of 600,000 (two users), 400,000 and 300,000 (the house took a bid, and a user a bid). */
async function insertFills(tx: Tx, about: string): Promise<void> {
  await tx.execute(sql`
    insert into fills (id, trade_id, order_id, user_id, epoch, market_id, token_id, action, role,
      settlement, price_micro, shares_micro, notional_micro, fee_micro, created_at)
    select ${about}::text || id, ${about}::text || trade, ${about}::text || id, 'user', epoch, market, 'token',
      action, role, 'complementary', 600000, 1000000, notional, 0, at::timestamptz
    from (values
      ('1', 'a', 1, 'first', 'BUY', 'maker', 600000, '2026-11-24T10:59:59Z'),
      ('2', 'a', 1, 'first', 'SELL', 'taker', 600000, '2026-11-24T10:59:59Z'),
      ('3', 'b', 1, 'first', 'BUY', 'maker', 600000, '2026-11-24T11:00:00Z'),
      ('4', 'c', 1, 'second', 'SELL', 'taker', 300000, '2026-11-24T11:30:00Z'),
      ('5', 'd', 0, 'second', 'BUY', 'taker', 900000, '2026-11-24T11:30:00Z')
    ) as fill (id, trade, epoch, market, action, role, notional, at)`);
}

async function isWaitingForRow({ db }: Database): Promise<boolean> {
  const rows = await selectRows(
    db,
    sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%market_volumes%'`,
  );
  return rows.length > 0;
}

function nextVersion(statements: readonly string[]): string {
  const { root, migrations } = makeNextVersion(statements);
  undo.push(() => rm(root, { recursive: true }));
  return migrations;
}

async function hasNext({ db }: Database): Promise<boolean> {
  const rows = await selectRows(
    db,
    sql`select from information_schema.columns where table_name = 'orders' and column_name = 'next'`,
  );
  return rows.length === 1;
}

async function isSomebodyWaiting({ db }: Database): Promise<boolean> {
  const rows = await selectRows(
    db,
    sql`select from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted and relation = 'orders'::regclass`,
  );
  return rows.length > 0;
}
