import "server-only";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { pause } from "@/lib/clock";
import type { Database, Tx } from "@/lib/db/database";
import { isTransient, isLockTimeout } from "@/lib/db/errors";
import { errorFields, log } from "@/lib/log";
import { projectPath } from "@/lib/paths";

/** An arbitrary number that every process of the service uses. */
const MIGRATION_LOCK = 4_271_990_115;
/**
 * While a migration waits for a table's lock, later statements on the table wait behind it. It stops
 * waiting before users notice, and before the server's deadlock check (1 s) fails requests.
 */
const LOCK_WAIT_MS = 500;
const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 40;

/** One statement of a migration, and its name in `schema_migrations` once it was applied. */
interface Step {
  readonly migration: string;
  readonly mark: string;
  readonly statement: string;
}

/**
 * Migrates the schema while other processes keep serving. On a Postgres database that is in use, each
 * statement runs in its own transaction. So the migration never holds one table while it waits for
 * another, and it gets its turn under any load. A migration that is interrupted, for example because
 * a backup locks a table for a minute, continues at the same statement the next time.
 *
 * @param folder the folder of the migrations.
 */
export async function migrateDatabase(
  database: Database,
  folder = projectPath("lib/db/migrations"),
): Promise<void> {
  const steps = readMigrationFiles({ migrationsFolder: folder }).flatMap(toSteps);
  const remaining = await withMigrationLock(database, async (tx) => {
    await tx.execute(sql`
      create table if not exists schema_migrations
        (hash text primary key, applied_at timestamptz not null default now())`);
    const marks = await selectMarks(tx);
    const left = steps.filter((step) => !isApplied(step, marks));
    if (database.kind === "postgres" && marks.size > 0) return left;
    // No other process uses a new or an embedded database: apply all steps in this transaction.
    for (const step of left) await apply(tx, step);
    return [];
  });
  for (const step of remaining) {
    await withMigrationLock(database, async (tx) => {
      if (!isApplied(step, await selectMarks(tx))) await apply(tx, step);
    });
  }
}

/** Splits a migration into steps. The mark of its last step is the migration's hash. */
function toSteps({ hash, sql: statements }: MigrationMeta): Step[] {
  return statements.map((statement, index) => ({
    migration: hash,
    mark: index === statements.length - 1 ? hash : `${hash}#${index}`,
    statement,
  }));
}

const isApplied = ({ migration, mark }: Step, marks: ReadonlySet<string>) =>
  marks.has(migration) || marks.has(mark);

async function apply(tx: Tx, { mark, statement }: Step): Promise<void> {
  await tx.execute(sql.raw(statement));
  await tx.execute(sql`insert into schema_migrations (hash) values (${mark})`);
}

/** Runs `work` while no other process migrates. Retries while other transactions hold its locks. */
async function withMigrationLock<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (tx) => {
        if (database.kind === "postgres") await lockMigrations(tx);
        return work(tx);
      });
    } catch (error) {
      const isBlocked = isLockTimeout(error) || isTransient(error);
      if (attempt >= MAX_ATTEMPTS || !isBlocked) throw error;
      log.warn("migration blocked by other transactions", {
        count: attempt,
        ...errorFields(error),
      });
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Waits for other processes that migrate; without the advisory lock one of them would fail. Turns
 * the statement timeout off, because the wait and the index of a large table can take longer.
 */
async function lockMigrations(tx: Tx): Promise<void> {
  const set = (name: string, value: number) =>
    tx.execute(sql`select set_config(${name}::text, ${String(value)}::text, true)`);
  await set("statement_timeout", 0);
  await set("lock_timeout", 0);
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await set("lock_timeout", LOCK_WAIT_MS);
}

async function selectMarks(tx: Tx): Promise<Set<string>> {
  const result = (await tx.execute(sql`select hash from schema_migrations`)) as unknown as {
    rows: { hash: string }[];
  };
  return new Set(result.rows.map((row) => row.hash));
}
