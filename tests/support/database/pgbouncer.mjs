// PgBouncer in transaction mode, in front of a test's Postgres server. It listens on loopback.
import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, NOBODY, waitUntilReady } from "./postgres.mjs";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Returns whether Debian's package is installed. `npm test` installs it where it can. */
export const hasPgbouncer = () => existsSync(PROGRAM);

/**
 * Starts PgBouncer. A client has a server session during its transaction only, and the
 * next transaction gets another one.
 *
 * @param {string} postgresUrl the server's URL.
 * @returns its URL, and a function that stops it.
 */
export async function startPgbouncer(postgresUrl) {
  const { hostname, port: serverPort, username } = new URL(postgresUrl);
  const folder = mkdtempSync(join(tmpdir(), "ante-pgbouncer-"));
  const port = await freePort();
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 20,
    max_client_conn: 1_000,
    // The next transaction gets the session that waited longest.
    server_round_robin: 1,
  };
  const file = join(folder, "pgbouncer.ini");
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${hostname} port=${serverPort} user=${username}`;
  writeFileSync(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  const pooler = spawn(PROGRAM, ["--quiet", file], { ...identity, stdio: "ignore" });
  const url = new URL(postgresUrl);
  url.port = String(port);
  await waitUntilReady(url.href, pooler);
  const stop = async () => {
    const hasEnded = pooler.exitCode !== null || pooler.signalCode !== null;
    pooler.kill("SIGTERM");
    if (!hasEnded) await new Promise((resolve) => pooler.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: url.href, stop };
}
