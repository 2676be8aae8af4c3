import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * What a taker runs. It takes the lock when told to, at an instant that all takers wait for, and
 * with `pauseAt` it stops, on the way, before it first removes or renames the lock of another. With
 * `isLate` another one has removed the stale lock when its turn at that begins.
 */
const TAKER = `
import fs, { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [directory, pauseAt, isLate] = process.argv.slice(2);
const lock = join(directory, "lock");
const nap = new Int32Array(new SharedArrayBuffer(4));
if (isLate) {
  const { mkdirSync, unlinkSync } = fs;
  fs.mkdirSync = (path, ...rest) => {
    const made = mkdirSync(path, ...rest);
    if (path === lock + ".turn") unlinkSync(lock);
    return made;
  };
  syncBuiltinESMExports();
}
if (pauseAt) {
  let isPaused = false;
  for (const name of ["renameSync", "rmSync", "unlinkSync"]) {
    const original = fs[name];
    fs[name] = (path, ...rest) => {
      if (!isPaused && path === lock) {
        isPaused = true;
        process.send({ paused: true });
        while (!existsSync(pauseAt)) Atomics.wait(nap, 0, 0, 2);
      }
      return original(path, ...rest);
    };
  }
  syncBuiltinESMExports();
}
const { lockDataDirectory } = await import("./lock.mjs");

let unlock = () => {};
process.on("message", ({ take, release, exit }) => {
  if (exit) process.exit(0);
  if (release) {
    unlock();
    unlock = () => {};
    process.send({ released: true });
    return;
  }
  while (Date.now() < take) {}
  try {
    unlock = lockDataDirectory(directory);
    process.send({ won: true });
  } catch (error) {
    process.send({ won: false, name: error.name, message: error.message });
  }
});
process.send({ ready: true });
`;

interface Outcome {
  won: boolean;
  name?: string;
  message?: string;
}

export interface Taker {
  pid: number;
  /** Tries to take the lock at an instant. */
  take(at?: number): Promise<Outcome>;
  release(): Promise<void>;
  /** Resolves when it stops on the way, or has its outcome without stopping. */
  pausedOrDone(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Puts the lock's code and the taker's where plain Node can run them. */
export async function buildTaker(folder: string): Promise<void> {
  await build({
    entryPoints: [join(PROJECT, "lib/db/lock.ts")],
    outfile: join(folder, "lock.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "server-only": join(PROJECT, "tests/support/empty.ts"), "@": PROJECT },
    logLevel: "silent",
  });
  writeFileSync(join(folder, "taker.mjs"), TAKER);
}

/** Starts a process that can take the lock of a directory. */
export async function startTaker(
  folder: string,
  directory: string,
  { pauseAt = "", isLate = false }: { pauseAt?: string; isLate?: boolean } = {},
): Promise<Taker> {
  const child = fork(join(folder, "taker.mjs"), [directory, pauseAt, isLate ? "late" : ""], {
    stdio: "ignore",
    execArgv: [],
  });
  await messageOf(child, "ready");
  let underWay: Promise<unknown> = Promise.resolve();
  let paused: Promise<unknown> = Promise.resolve();
  return {
    pid: child.pid ?? 0,
    take: (at = 0) => {
      const outcome = messageOf(child, "won") as Promise<unknown> as Promise<Outcome>;
      [underWay, paused] = [outcome, messageOf(child, "paused")];
      child.send({ take: at });
      return outcome;
    },
    release: async () => {
      const released = messageOf(child, "released");
      child.send({ release: true });
      await released;
    },
    pausedOrDone: async () => {
      await Promise.race([underWay, paused]);
    },
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
  };
}

/** The next message of a child that has the property. */
function messageOf(child: ChildProcess, property: string): Promise<object> {
  return new Promise((resolve) => {
    const listen = (message: object) => {
      if (!(property in message)) return;
      child.off("message", listen);
      resolve(message);
    };
    child.on("message", listen);
  });
}
