// The built product as a process of its own. Nothing here knows the test runner, so that its
// global set-up can use it too.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@/tests/support/postgres.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Environment = Record<string, string>;

/** How a process ended. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Launched {
  pid: number;
  /** Both outputs so far, in the order in which they came. */
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
  /** SIGTERM, and how long until the process was gone. */
  stop: () => Promise<Ended & { inMs: number }>;
  /** SIGKILL, and the end of the process. */
  crash: () => Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  env?: Environment;
  /** What follows `node`; `server.mjs` unless told otherwise. */
  args?: (port: number) => readonly string[];
  port?: number;
  /** The project's root unless told otherwise: where the migrations are looked for. */
  cwd?: string;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
/** How long a process may take for its shutdown, as the operating contract says. */
export const STOP_WITHIN_MS = 15_000;

const living = new Set<ChildProcess>();
// A worker that dies leaves no server behind.
process.once("exit", killAll);

/** A production environment that takes nothing over from the one that runs the tests. */
function environment(given: Environment): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    LOG_LEVEL: "warn",
    ...given,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** Starts `node` with `args` in the project's root, or in `cwd`, and does not wait for anything. */
export function launch(args: readonly string[], env: Environment, cwd = ROOT): Launched {
  const child = spawn(process.execPath, args, {
    cwd,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  living.add(child);
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
      living.delete(child);
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

/** Starts a server and waits until GET /health answers 200. */
export async function startProduct(options: StartOptions): Promise<Product> {
  const port = options.port ?? (await freePort());
  const args = options.args?.(port) ?? ["server.mjs"];
  const startedAt = performance.now();
  const env = { PORT: String(port), DATA_DIR: options.dataDir, ...options.env };
  const launched = launch(args, env, options.cwd);
  await untilReady(launched, port);
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

async function untilReady(server: Launched, port: number): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isHealthy(port))) {
    if (server.hasEnded()) throw new Error(`the server ended at once:\n${server.output()}`);
    if (Date.now() > deadline) throw new Error(`the server is not ready:\n${server.output()}`);
    await wait(POLL_MS);
  }
}

/** Whether GET /health answers 200 now. */
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

/** Runs `npm run admin -- <verb>` without npm, to its end. */
export async function runAdmin(
  args: readonly string[],
  env: Environment,
): Promise<{ code: number | null; stdout: string; output: string }> {
  const launched = launch(["lib/cli/admin.mjs", ...args], env);
  const { code } = await within(READY_WITHIN_MS, launched.ended, "the admin verb did not end");
  return { code, stdout: launched.stdout(), output: launched.output() };
}

/** Ends every process that is still there. */
export async function endAll(): Promise<void> {
  const ends = [...living].map((child) => new Promise((resolve) => child.once("close", resolve)));
  killAll();
  await Promise.all(ends);
}

function killAll(): void {
  for (const child of living) child.kill("SIGKILL");
}

/** The promise's value, or an error when it takes longer than that. */
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

/** Asks again and again until the answer is there. */
export async function until<T>(
  milliseconds: number,
  what: string,
  ask: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const found = await ask();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${milliseconds} ms`);
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
