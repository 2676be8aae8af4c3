import "server-only";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { pause } from "@/lib/clock";
import type { Database, Tx } from "@/lib/db/database";
import { isTransient, isWaitTooLong } from "@/lib/db/errors";
import { errorFields, log } from "@/lib/log";
import { projectPath } from "@/lib/paths";

/** Any number; every process of the service uses the same one. */
const MIGRATION_LOCK = 4_271_990_115;
/**
 * A migration that waits for a table holds up whoever comes after it: it gives way before that is
 * felt, and before the server, after a second, looks for deadlocks and fails requests to end them.
 */
const LOCK_WAIT_MS = 500;
const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 40;

/**
 * Brings the schema up to date, beside processes that go on serving. What others hold for longer
 * than a minute, such as a backup under way, ends it: nothing has changed then.
 *
 * @param folder where the migrations are.
 */
export async function migrateDatabase(
  database: Database,
  folder = projectPath("lib/db/migrations"),
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.db.transaction((tx) => migrate(tx, database.kind, migrations));
    } catch (error) {
      const isHeldUp = isWaitTooLong(error) || isTransient(error);
      if (attempt >= MAX_ATTEMPTS || !isHeldUp) throw error;
      log.warn("a migration waits for others", { count: attempt, ...errorFields(error) });
      await pause(PAUSE_MS);
    }
  }
}

/** Applies in one transaction what was not applied yet. */
async function migrate(
  tx: Tx,
  kind: Database["kind"],
  migrations: readonly MigrationMeta[],
): Promise<void> {
  if (kind === "postgres") await takeTurn(tx);
  await tx.execute(sql`
    create table if not exists schema_migrations
      (hash text primary key, applied_at timestamptz not null default now())`);
  const applied = await appliedHashes(tx);
  for (const migration of migrations) {
    if (applied.has(migration.hash)) continue;
    for (const statement of migration.sql) await tx.execute(sql.raw(statement));
    await tx.execute(sql`insert into schema_migrations (hash) values (${migration.hash})`);
  }
}

/**
 * Waits for other processes that migrate: without the advisory lock one of them would fail. Neither
 * that nor an index of a large table has to be done in the time that a request's statement has.
 */
async function takeTurn(tx: Tx): Promise<void> {
  const set = (name: string, value: number) =>
    tx.execute(sql`select set_config(${name}::text, ${String(value)}::text, true)`);
  await set("statement_timeout", 0);
  await set("lock_timeout", 0);
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await set("lock_timeout", LOCK_WAIT_MS);
}

async function appliedHashes(tx: Tx): Promise<Set<string>> {
  const result = (await tx.execute(sql`select hash from schema_migrations`)) as unknown as {
    rows: { hash: string }[];
  };
  return new Set(result.rows.map((row) => row.hash));
}
