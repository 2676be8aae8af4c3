// The built product as a separate process. Independent of the test runner, so that its global set-up can
// use it too.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ENV_NAMES } from "@/lib/env";
import { freePort } from "@/tests/support/database/postgres.mjs";

/** Every command runs in the project's root; a bundle of this file lies elsewhere. Ends with a slash. */
export const ROOT = `${process.cwd()}/`;

export type Environment = Record<string, string>;

/** How a process ended. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Launched {
  pid: number;
  /** Standard output and error so far, in order. */
  output: () => string;
  stdout: () => string;
  ended: Promise<Ended>;
  hasEnded: () => boolean;
  kill: (signal: NodeJS.Signals) => void;
}

export interface Product extends Launched {
  port: number;
  dataDir: string;
  readyInMs: number;
  /** Sends SIGTERM and waits for the end. Returns how long it took. */
  stop: () => Promise<Ended & { inMs: number }>;
  /** Sends SIGKILL and waits for the end. */
  crash: () => Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  env?: Environment;
  /** The arguments of `node`; by default `server.mjs`. */
  args?: (port: number) => readonly string[];
  port?: number;
  /** By default the project's root. It contains the migrations. */
  cwd?: string;
}

const READY_WITHIN_MS = 60_000;
const VERB_WITHIN_MS = 180_000;
const POLL_MS = 25;
const UNTIL_MS = 110_000;
/** How long a shutdown may take, as documented. */
export const STOP_WITHIN_MS = 15_000;

const running = new Set<ChildProcess>();
// A test worker that dies must not leave servers running.
process.once("exit", killAll);

/** Returns a production environment without the variables of the test run. */
export function productEnvironment(given: Environment): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    // An empty variable counts as unset, and overrides a developer's `.env`.
    ...Object.fromEntries(ENV_NAMES.flatMap((name) => [name, `${name}_FILE`]).map((n) => [n, ""])),
    LOG_LEVEL: "warn",
    // The same simulated markets in every run.
    PAPER_SEED: "tests",
    ...given,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** Starts `node` with `args` in the project's root or `cwd`, without waiting. */
export function launch(args: readonly string[], env: Environment, cwd = ROOT): Launched {
  const child = spawn(process.execPath, args, {
    cwd,
    env: productEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const all: Buffer[] = [];
  const standard: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    all.push(chunk);
    standard.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => all.push(chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    output: () => Buffer.concat(all).toString(),
    stdout: () => Buffer.concat(standard).toString(),
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => child.kill(signal),
  };
}

/** Starts a server and waits until GET /health returns 200. */
export async function startProduct(options: StartOptions): Promise<Product> {
  const port = options.port ?? (await freePort());
  const args = options.args?.(port) ?? ["server.mjs"];
  const startedAt = performance.now();
  const env = { PORT: String(port), DATA_DIR: options.dataDir, ...options.env };
  const launched = launch(args, env, options.cwd);
  await waitUntilReady(launched, port);
  const readyInMs = Math.round(performance.now() - startedAt);
  const stop = async () => {
    const stoppedAt = performance.now();
    launched.kill("SIGTERM");
    const ended = await within(STOP_WITHIN_MS, launched.ended, "the process did not end");
    return { ...ended, inMs: Math.round(performance.now() - stoppedAt) };
  };
  const crash = async () => {
    launched.kill("SIGKILL");
    await launched.ended;
  };
  return { ...launched, port, dataDir: options.dataDir, readyInMs, stop, crash };
}

async function waitUntilReady(server: Launched, port: number): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isHealthy(port))) {
    if (server.hasEnded()) throw new Error(`the server exited:\n${server.output()}`);
    if (Date.now() > deadline) throw new Error(`the server is not ready:\n${server.output()}`);
    await wait(POLL_MS);
  }
}

/** Returns whether GET /health returns 200. */
export function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { host: "127.0.0.1", port, path: "/health", agent: false, timeout: 5000 },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(false));
    asked.end();
  });
}

/** Runs an admin verb without npm and waits for its end. */
export async function runAdmin(
  args: readonly string[],
  env: Environment,
): Promise<{ code: number | null; stdout: string; output: string }> {
  const launched = launch(["lib/cli/admin.mjs", ...args], env);
  const { code } = await within(VERB_WITHIN_MS, launched.ended, "the admin verb did not end");
  return { code, stdout: launched.stdout(), output: launched.output() };
}

/** Kills every process that still runs. */
export async function endAll(): Promise<void> {
  const ends = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
  killAll();
  await Promise.all(ends);
}

function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Returns the promise's value. Throws if it takes longer. */
export async function within<T>(milliseconds: number, work: Promise<T>, what: string): Promise<T> {
  const expiry = new AbortController();
  const late = wait(milliseconds, undefined, { signal: expiry.signal }).then(() => {
    throw new Error(`${what} within ${milliseconds} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    expiry.abort();
    late.catch(() => {});
  }
}

/**
 * Polls until the result is neither null, undefined nor false. Throws shortly before the test's own time
 * limit, so that the message names what was missing. No test depends on a quick machine.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + UNTIL_MS;
  for (;;) {
    const found = await ask();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${UNTIL_MS} ms`);
    await wait(POLL_MS);
  }
}

export interface DemoAccount {
  email: string;
  password: string;
  apiKey: string;
  userId: string;
  address: string;
  funderAddress: string;
}

export function readDemo(dataDir: string): DemoAccount {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoAccount;
}
