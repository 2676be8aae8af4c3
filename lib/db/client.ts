import "server-only";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PGlite } from "@electric-sql/pglite";
import { type SQL, sql } from "drizzle-orm";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { Pool } from "pg";
import type { Database, Tx } from "@/lib/db/database";
import { EmbeddedClient } from "@/lib/db/embedded-client";
import { isTransient } from "@/lib/db/errors";
import { lockDataDirectory } from "@/lib/db/lock";
import { migrateDatabase } from "@/lib/db/migrate";
import { quietQueryErrors } from "@/lib/db/query-error";
import { travelOn } from "@/lib/db/trips";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { projectPath } from "@/lib/paths";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
const MAX_ATTEMPTS = 5;

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const HOLDER = Symbol.for("ante.database");
const COMMITS = Symbol.for("ante.commits");
const holder = globalThis as typeof globalThis & {
  [HOLDER]?: Promise<Database> | undefined;
  [COMMITS]?: number;
};

/** The process's one database, opened and migrated on first use, never at import. */
export function getDatabase(): Promise<Database> {
  holder[HOLDER] ??= openDatabase().catch((error: unknown) => {
    holder[HOLDER] = undefined;
    throw error;
  });
  return holder[HOLDER];
}

/** Makes `database` the process's database. For the server's start and for tests. */
export function useDatabase(database: Database): void {
  holder[HOLDER] = Promise.resolve(database);
}

export async function closeDatabase(): Promise<void> {
  const open = holder[HOLDER];
  holder[HOLDER] = undefined;
  if (open) await (await open).close();
}

export async function getDb(): Promise<Tx> {
  return (await getDatabase()).db;
}

/**
 * Runs `work` in one transaction and starts over when the database chose it to break a deadlock.
 * Inside, only `tx` may be used: the embedded database has one connection and would wait for ever.
 */
export function withTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return untilCommitted((db) => db.transaction(work));
}

/** The same for one statement, which is a transaction by itself and costs one round trip. */
export function withStatement<T>(run: (db: Tx) => Promise<T>): Promise<T> {
  return untilCommitted(run);
}

async function untilCommitted<T>(attempt: (db: Tx) => Promise<T>): Promise<T> {
  const db = await getDb();
  for (let attempts = 1; ; attempts += 1) {
    try {
      const result = await attempt(db);
      holder[COMMITS] = countCommits() + 1;
      return result;
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** How many transactions of this process may have changed something. */
export function countCommits(): number {
  return holder[COMMITS] ?? 0;
}

/** Runs several reads on one snapshot, so that what they return belongs together. */
export async function withSnapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = await getDb();
  return db.transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** Asks the database for nothing, to see that it answers. */
export async function ping(database: Database): Promise<void> {
  await database.db.execute(sql`select 1`);
}

/** Rows of a hand-written statement. The caller states the shape that its SQL selects. */
export async function selectRows<T>(tx: Tx, statement: SQL): Promise<T[]> {
  const result = (await tx.execute(statement)) as unknown as { rows: T[] };
  return result.rows;
}

async function openDatabase(): Promise<Database> {
  const database = env().DATABASE_URL ? openPostgres(env().DATABASE_URL) : await openEmbedded();
  try {
    await migrateDatabase(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Connects to a Postgres server; connections open as they are needed. */
export function openPostgres(url: string | undefined, poolSize = POOL_SIZE): Database {
  quietQueryErrors();
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A process that stands still in a transaction lets go of what it locked.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // A server that vanished without a word is noticed.
    keepAlive: true,
    // Bounds the wait for another request's claim on the same idempotency key.
    lock_timeout: env().IN_PROGRESS_WAIT_MS,
  });
  // A connection that the server ends must not end the process. Idle ones tell the pool; those that
  // a transaction holds between two statements tell nobody but themselves.
  const noteLoss = (error: Error) => log.warn("database connection lost", errorFields(error));
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", noteLoss);
    travelOn(client);
  });
  return { kind: "postgres", db: drizzlePostgres(pool) as unknown as Tx, close: () => pool.end() };
}

/** Opens the embedded database of DATA_DIR for this process alone, creating it if it is missing. */
async function openEmbedded(): Promise<Database> {
  const dataDir = env().DATA_DIR;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDirectory(dataDir);
  try {
    const directory = join(dataDir, "db");
    if (!existsSync(directory)) await createEmbedded(directory);
    return embeddedDatabase(await EmbeddedClient.open({ dataDir: directory }), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A database in this process; `release` runs after it is closed. */
export function embeddedDatabase(client: PGlite, release: () => void): Database {
  quietQueryErrors();
  const close = async () => {
    await client.close();
    release();
  };
  return { kind: "embedded", db: drizzleEmbedded(client) as unknown as Tx, close };
}

async function createEmbedded(directory: string): Promise<void> {
  const creator = projectPath("lib/db/create-embedded.mjs");
  try {
    await promisify(execFile)(process.execPath, [creator, directory]);
  } catch (error) {
    // A killed server's creator may have finished first, which ends ours: the database is there.
    if (!existsSync(directory)) throw error;
  }
}
