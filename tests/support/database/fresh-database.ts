import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import {
  closeDatabase,
  makeEmbeddedDatabase,
  getDb,
  openPostgres,
  selectRows,
  useDatabase,
} from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { EmbeddedClient } from "@/lib/db/embedded-client";
import { migrateDatabase } from "@/lib/db/migrate";
import { loadPaperSeed } from "@/lib/db/paper-seed";
import { withSerializationFailures } from "@/tests/support/database/serialization-failures";

/** The share of transactions that fail once in the project `serializable`. */
const FAILING_SHARE = 0.05;

/** Gives the test file a fresh, migrated database of the kind that its project runs on. */
export function useFreshDatabase(): void {
  let drop = async () => {};
  beforeAll(async () => {
    const opened =
      process.env["TEST_DATABASE"] === "postgres"
        ? await openServer()
        : { database: await openEmbedded(), drop: async () => {} };
    drop = opened.drop;
    await migrateDatabase(opened.database);
    await loadPaperSeed(opened.database);
    useDatabase(opened.database);
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

/** Opens a migrated, empty embedded database without a paper seed. */
export async function openEmbedded(): Promise<Database> {
  const template = new Blob([readFileSync(inject("embeddedTemplate"))]);
  const client = await EmbeddedClient.open({ loadDataDir: template });
  return makeEmbeddedDatabase(client, () => {});
}

async function openServer(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(`create database ${name}`);
  const url = new URL(inject("pooledUrl") ?? inject("postgresUrl"));
  url.pathname = `/${name}`;
  const database = openPostgres(url.toString());
  const drop = () => execute(`drop database ${name} with (force)`);
  if (process.env["TEST_ISOLATION"] !== "serializable") return { database, drop };
  await execute(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  const failing = withSerializationFailures(database, FAILING_SHARE);
  const restoreAndDrop = async () => {
    failing.restore();
    await drop();
  };
  return { database: failing, drop: restoreAndDrop };
}

/**
 * Opens the test file's server database with a second pool, directly.
 *
 * @param settings the settings of its connections, such as `statement_timeout` in milliseconds.
 */
export async function openAgain(settings: Record<string, string>): Promise<Database> {
  const [current] = await selectRows<{ name: string }>(
    await getDb(),
    sql`select current_database() as name`,
  );
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${current?.name}`;
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return openPostgres(url.toString(), { pooler: "none" });
}

/** Counts the connections to the test file's database that wait for a lock. Other files share the server. */
export async function countLockWaits(): Promise<number> {
  const waiting = await selectRows(
    await getDb(),
    sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

async function execute(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(statement);
  await client.end();
}
