import "server-only";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database, Tx } from "@/lib/db/database";
import { projectPath } from "@/lib/paths";

/** Any number; every process of the service uses the same one. */
const MIGRATION_LOCK = 4_271_990_115;

/**
 * Brings the schema up to date in one transaction. On a server, processes that start together wait
 * for each other: concurrent migration without the advisory lock fails.
 */
export async function migrateDatabase(database: Database): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: projectPath("lib/db/migrations") });
  await database.db.transaction(async (tx) => {
    if (database.kind === "postgres") {
      await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    }
    await tx.execute(sql`
      create table if not exists schema_migrations
        (hash text primary key, applied_at timestamptz not null default now())`);
    const applied = await appliedHashes(tx);
    for (const migration of migrations) {
      if (applied.has(migration.hash)) continue;
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.execute(sql`insert into schema_migrations (hash) values (${migration.hash})`);
    }
  });
}

async function appliedHashes(tx: Tx): Promise<Set<string>> {
  const result = (await tx.execute(sql`select hash from schema_migrations`)) as unknown as {
    rows: { hash: string }[];
  };
  return new Set(result.rows.map((row) => row.hash));
}
