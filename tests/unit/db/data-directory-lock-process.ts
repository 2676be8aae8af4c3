import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/** The script of a process that takes the lock at a given instant, so that several compete. */
const TAKER = `
import { lockDataDirectory } from "./lock.mjs";

const [directory] = process.argv.slice(2);
let unlock = () => {};
process.on("message", async ({ take, release }) => {
  if (release) {
    unlock();
    unlock = () => {};
    process.send({ released: true });
    return;
  }
  while (Date.now() < take) {}
  try {
    unlock = await lockDataDirectory(directory);
    process.send({ won: true });
  } catch (error) {
    process.send({ won: false, name: error.name, message: error.message });
  }
});
process.send({ ready: process.pid });
`;

interface Outcome {
  won: boolean;
  name?: string;
  message?: string;
}

export interface Taker {
  /** The process id as the process sees it, which differs in its own pid namespace. */
  pid: number;
  /** Makes the process take the lock at an instant. */
  take(at?: number): Promise<Outcome>;
  release(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** The namespaces of a container, as flags of `unshare`. */
export const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc"];

/** Whether this user may create namespaces on this machine. */
export const canUnshare = (flags: readonly string[]) =>
  spawnSync("unshare", [...flags, "true"], { stdio: "ignore" }).status === 0;

/** Bundles the lock's code and the script for plain Node. */
export async function buildTaker(folder: string): Promise<void> {
  await build({
    entryPoints: [join(PROJECT, "lib/db/data-directory-lock.ts")],
    outfile: join(folder, "lock.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "server-only": join(PROJECT, "tests/support/empty.ts"), "@": PROJECT },
    logLevel: "silent",
  });
  writeFileSync(join(folder, "taker.mjs"), TAKER);
}

/**
 * Starts a process that can take the lock of a directory.
 *
 * @param namespaces flags of `unshare`; empty for an ordinary process.
 */
export async function startTaker(
  folder: string,
  directory: string,
  namespaces: readonly string[] = [],
): Promise<Taker> {
  const taker = [process.execPath, join(folder, "taker.mjs"), directory];
  const [command = "", ...args] =
    namespaces.length === 0 ? taker : ["unshare", ...namespaces, ...taker];
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const { ready: pid } = (await awaitMessage(child, "ready")) as { ready: number };
  return {
    pid,
    take: (at = 0) => {
      const outcome = awaitMessage(child, "won") as Promise<unknown> as Promise<Outcome>;
      child.send({ take: at });
      return outcome;
    },
    release: async () => {
      const released = awaitMessage(child, "released");
      child.send({ release: true });
      await released;
    },
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      if (signal !== "SIGSTOP") await once(child, "exit");
    },
  };
}

/** Waits for the child's next message with the property. */
function awaitMessage(child: ChildProcess, property: string): Promise<object> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the process exited with ${code}`));
    const listen = (message: object) => {
      if (!(property in message)) return;
      child.off("message", listen);
      child.off("exit", ended);
      resolve(message);
    };
    child.on("message", listen);
    child.once("exit", ended);
  });
}
