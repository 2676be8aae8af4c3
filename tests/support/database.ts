import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import {
  closeDatabase,
  embeddedDatabase,
  getDb,
  openPostgres,
  selectRows,
  useDatabase,
} from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { EmbeddedClient } from "@/lib/db/embedded-client";
import { migrateDatabase } from "@/lib/db/migrate";

/** Gives the test file a fresh, migrated database of the kind that its project runs on. */
export function useFreshDatabase(): void {
  let drop = async () => {};
  beforeAll(async () => {
    const opened =
      process.env["TEST_DATABASE"] === "postgres" ? await openServer() : await openEmbedded();
    drop = opened.drop;
    await migrateDatabase(opened.database);
    useDatabase(opened.database);
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

async function openEmbedded(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const template = new Blob([readFileSync(inject("embeddedTemplate"))]);
  const client = await EmbeddedClient.open({ loadDataDir: template });
  return { database: embeddedDatabase(client, () => {}), drop: async () => {} };
}

async function openServer(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(`create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return {
    database: openPostgres(url.toString()),
    drop: () => execute(`drop database ${name} with (force)`),
  };
}

/**
 * The test file's database on the server through connections of their own.
 *
 * @param settings of each of them, such as `statement_timeout`, in milliseconds.
 */
export async function openAgain(settings: Record<string, string>): Promise<Database> {
  const [current] = await selectRows<{ name: string }>(
    await getDb(),
    sql`select current_database() as name`,
  );
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${current?.name}`;
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return openPostgres(url.toString());
}

async function execute(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(statement);
  await client.end();
}
