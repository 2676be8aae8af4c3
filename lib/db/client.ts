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
import type { Pool } from "pg";
import { appendMissingSnapshots, createMissingCash } from "@/lib/db/account-snapshots";
import type { Database, Tx } from "@/lib/db/database";
import { EmbeddedClient } from "@/lib/db/embedded-client";
import { lockDataDirectory } from "@/lib/db/data-directory-lock";
import { migrateDatabase } from "@/lib/db/migrate";
import { loadPaperSeed } from "@/lib/db/paper-seed";
import { hideQueryValues } from "@/lib/db/query-error";
import { makeBeginning, PipelinedClient, runTransaction } from "@/lib/db/pipeline";
import { repeatFailed, repeatOverdrawn, RepeatingPool } from "@/lib/db/repeat";
import { listServers, makeServerFinder } from "@/lib/db/servers";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { projectPath } from "@/lib/paths";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;
export const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
const SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const HOLDER = Symbol.for("ante.database");
const COMMITS = Symbol.for("ante.commits");
const holder = globalThis as typeof globalThis & {
  [HOLDER]?: Promise<Database> | undefined;
  [COMMITS]?: number;
};

/** Returns the process's database. Opens and migrates it on first use. */
export function getDatabase(): Promise<Database> {
  holder[HOLDER] ??= openDatabase().catch((error: unknown) => {
    holder[HOLDER] = undefined;
    throw error;
  });
  return holder[HOLDER];
}

/** Sets the process's database, at the server's start and in tests. */
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
 * Runs `work` in one transaction, and repeats it after a deadlock or serialization failure, or if a
 * concurrent one spent the money first. Inside, use only `tx`: the embedded database has one connection,
 * so another query would wait forever.
 */
export function withTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return countCommit(({ transaction }) => repeatFailed(() => transaction(work)));
}

/**
 * Runs `work` in one transaction of the embedded database, with everything that it calls: their
 * transactions become parts of this one. Nothing else may use the database meanwhile.
 */
export async function inOneTransaction<T>(work: () => Promise<T>): Promise<T> {
  const database = await getDatabase();
  assert(database.kind === "embedded", "only the embedded database has one connection");
  return database.transaction(async (tx) => {
    useDatabase({ ...database, db: tx, transaction: (part) => tx.transaction(part) });
    try {
      return await work();
    } finally {
      useDatabase(database);
    }
  });
}

/** The same for a single statement, which is its own transaction and costs one round trip. */
export function withStatement<T>(run: (db: Tx) => Promise<T>): Promise<T> {
  // The pool repeats statements after a deadlock or serialization failure.
  return countCommit(({ db }) => run(db));
}

async function countCommit<T>(attempt: (database: Database) => Promise<T>): Promise<T> {
  const database = await getDatabase();
  const result = await repeatOverdrawn(() => attempt(database));
  holder[COMMITS] = countCommits() + 1;
  return result;
}

/** Counts the transactions of this process that may have written. */
export function countCommits(): number {
  return holder[COMMITS] ?? 0;
}

/** Runs several reads on one snapshot, so that their results are consistent. */
export async function withSnapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const { transaction } = await getDatabase();
  return repeatFailed(() => transaction(work, SNAPSHOT));
}

/** Checks that the database responds. */
export async function ping(database: Database): Promise<void> {
  await database.db.execute(sql`select 1`);
}

/** Runs a hand-written select. The caller states the type of its rows. */
export async function selectRows<T>(tx: Tx, statement: SQL): Promise<T[]> {
  const result = (await tx.execute(statement)) as unknown as { rows: T[] };
  return result.rows;
}

async function openDatabase(): Promise<Database> {
  const { DATABASE_URL: url } = env();
  const database = url ? openPostgres(url) : await openEmbedded();
  try {
    await migrateDatabase(database);
    await loadPaperSeed(database);
    await createMissingCash(database);
    await appendMissingSnapshots(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** How a pool of connections is opened. */
interface PoolOptions {
  size?: number;
  /** Which pooler is in front of the server; by default, that of the environment. */
  pooler?: "transaction" | "none";
}

/**
 * Creates a pool for a Postgres database. Connections open on demand, to the server that accepts writes if
 * the URL names several. Behind a pooler in transaction mode,
 * a setting of a connection would belong to another one after the transaction. So each transaction begins
 * with the limits of its waits.
 */
export function openPostgres(
  url: string,
  { size = POOL_SIZE, pooler = env().DATABASE_POOLER ?? "none" }: PoolOptions = {},
): Database {
  hideQueryValues();
  const isShared = pooler === "transaction";
  const limits = listLimits();
  const servers = listServers(url);
  const pool = new RepeatingPool({
    connectionString: servers[0],
    ...(servers.length > 1 ? { findServer: makeServerFinder(servers) } : {}),
    Client: PipelinedClient,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Detects a server that vanished without closing the connection.
    keepAlive: true,
    ...(isShared ? { isUnnamed: true } : limits),
  });
  // A connection that the server closes must not end the process. Idle connections report it to the
  // pool, connections that are checked out emit it themselves.
  const logLoss = (error: Error) => log.warn("database connection lost", errorFields(error));
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", logLoss);
  });
  const first = isShared ? renderLimits(limits) : undefined;
  const transaction: Database["transaction"] = (work, mode) =>
    runTransaction(pool, work, { mode, first });
  const close = () => pool.end();
  if (first === undefined) {
    return { kind: "postgres", db: drizzlePostgres(pool) as unknown as Tx, transaction, close };
  }
  const single = drizzlePostgres(makeBeginning(pool, first) as Pool) as unknown as Tx;
  // drizzle's own transaction would send each statement on any connection.
  return { kind: "postgres", db: Object.assign(single, { transaction }), transaction, close };
}

/** Lists the limits of waits, in milliseconds by setting. */
const listLimits = () => ({
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // Releases the locks of a process that hangs in a transaction.
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  // Bounds the wait for another request's claim on the same idempotency key.
  lock_timeout: env().IN_PROGRESS_WAIT_MS,
});

/** Renders the statement that sets limits for one transaction. */
function renderLimits(limits: Readonly<Record<string, number>>): string {
  const set = Object.entries(limits).map(([name, ms]) => `set_config('${name}', '${ms}', true)`);
  return `select ${set.join(", ")}`;
}

/** Locks and opens the embedded database of DATA_DIR. Creates it if it is missing. */
async function openEmbedded(): Promise<Database> {
  const dataDir = env().DATA_DIR;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockDataDirectory(dataDir);
  try {
    const directory = join(dataDir, "db");
    if (!existsSync(directory)) await createEmbedded(directory);
    return makeEmbeddedDatabase(await EmbeddedClient.open({ dataDir: directory }), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Wraps an embedded client. `release` runs after it is closed. */
export function makeEmbeddedDatabase(client: PGlite, release: () => void): Database {
  hideQueryValues();
  const close = async () => {
    await client.close();
    release();
  };
  const db = drizzleEmbedded(client) as unknown as Tx;
  return { kind: "embedded", db, transaction: (work, mode) => db.transaction(work, mode), close };
}

async function createEmbedded(directory: string): Promise<void> {
  const creator = projectPath("lib/db/create-embedded.mjs");
  try {
    await promisify(execFile)(process.execPath, [creator, directory]);
  } catch (error) {
    // The creator of a server that was killed may have finished first. Then the database exists.
    if (!existsSync(directory)) throw error;
  }
}
