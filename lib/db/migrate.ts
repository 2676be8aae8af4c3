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

/** One statement of a migration, and how `schema_migrations` calls it when it was done. */
interface Step {
  readonly migration: string;
  readonly mark: string;
  readonly statement: string;
}

/**
 * Brings the schema up to date, beside processes that go on serving: there one statement at a time,
 * each in its own transaction. Who holds a table never waits for another then, so however much
 * traffic there is, the migration's turn comes. A migration that ends in its middle, for what it
 * waits for is held for a minute, such as by a backup, goes on from there the next time.
 *
 * @param folder where the migrations are.
 */
export async function migrateDatabase(
  database: Database,
  folder = projectPath("lib/db/migrations"),
): Promise<void> {
  const steps = readMigrationFiles({ migrationsFolder: folder }).flatMap(stepsOf);
  const beside = await inTurn(database, async (tx) => {
    await tx.execute(sql`
      create table if not exists schema_migrations
        (hash text primary key, applied_at timestamptz not null default now())`);
    const marks = await selectMarks(tx);
    const left = steps.filter((step) => !isApplied(step, marks));
    if (database.kind === "postgres" && marks.size > 0) return left;
    // Nobody serves from a new database, and only this process from an embedded one: all or nothing.
    for (const step of left) await apply(tx, step);
    return [];
  });
  for (const step of beside) {
    await inTurn(database, async (tx) => {
      if (!isApplied(step, await selectMarks(tx))) await apply(tx, step);
    });
  }
}

/** The migration's own hash is the mark of its last statement. */
function stepsOf({ hash, sql: statements }: MigrationMeta): Step[] {
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

/** Runs `work` while no other process migrates, again and again while others hold what it needs. */
async function inTurn<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.db.transaction(async (tx) => {
        if (database.kind === "postgres") await takeTurn(tx);
        return work(tx);
      });
    } catch (error) {
      const isHeldUp = isWaitTooLong(error) || isTransient(error);
      if (attempt >= MAX_ATTEMPTS || !isHeldUp) throw error;
      log.warn("a migration waits for others", { count: attempt, ...errorFields(error) });
      await pause(PAUSE_MS);
    }
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

async function selectMarks(tx: Tx): Promise<Set<string>> {
  const result = (await tx.execute(sql`select hash from schema_migrations`)) as unknown as {
    rows: { hash: string }[];
  };
  return new Set(result.rows.map((row) => row.hash));
}
