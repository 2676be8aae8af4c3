// A standby of a test's Postgres server: it applies each commit before the client hears of it, and takes over.
import { execFile } from "node:child_process";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import {
  NOBODY,
  type PostgresServer,
  startPostgres,
  type StartOptions,
} from "@/tests/support/database/postgres.mjs";
import { until } from "@/tests/support/product/process";

/** Starts a standby on `port`. Returns when the primary's commits wait for it. */
export async function startStandby(primary: PostgresServer, port: number): Promise<PostgresServer> {
  const standby = await startPostgres({ port, create: copyFrom(primary) });
  await query(primary, "alter system set synchronous_commit = 'remote_apply'");
  await query(primary, "alter system set synchronous_standby_names = '*'");
  await query(primary, "select pg_reload_conf()");
  await until("the standby is synchronous", async () => {
    const standbys = await query(primary, "select sync_state from pg_stat_replication");
    return standbys.some((row) => row["sync_state"] === "sync");
  });
  return standby;
}

/** Makes a standby the primary. Returns when it accepts writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  await query(standby, "select pg_promote(true, 60)");
}

/** Copies the files of a running server, and makes the copy a standby of it. */
function copyFrom(primary: PostgresServer): NonNullable<StartOptions["create"]> {
  return async (data, { options }) => {
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    await client.query("select pg_backup_start('standby', true)");
    await promisify(execFile)("cp", ["-a", primary.data, data], options);
    const { rows } = await client.query<{ labelfile: string }>(
      "select labelfile from pg_backup_stop(false)",
    );
    await client.end();
    for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(data, name));
    const write = (name: string, text: string) => {
      writeFileSync(join(data, name), text);
      if (options.uid !== undefined) chownSync(join(data, name), NOBODY, NOBODY);
    };
    write("backup_label", rows[0]?.labelfile ?? "");
    write("standby.signal", "");
    // The primary's settings of its own standby do not apply to this one.
    const { port } = new URL(primary.url);
    write(
      "postgresql.auto.conf",
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=ante'\nsynchronous_commit = remote_apply\n`,
    );
  };
}

async function query(
  { url }: PostgresServer,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
