// The packages as another program gets them: packed, and installed into an empty folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  stderr: () => string;
}

export interface InstalledPackages {
  folder: string;
  /** Starts a program of the folder with `node`. */
  start(args: readonly string[], env?: Record<string, string>, input?: string): Running;
  remove(): void;
}

const OWN_PACKAGES = ["./packages/client", "./packages/mcp", "./packages/cli"];
/** What they need, as a registry has it. */
const THEIR_PACKAGES = ["zod", "@modelcontextprotocol/core", "@modelcontextprotocol/server"].map(
  (name) => `./node_modules/${name}`,
);

/** Packs and installs the client, the tools and the command line. No registry is asked. */
export function installPackages(): InstalledPackages {
  const folder = mkdtempSync(join(tmpdir(), "ante-packages-"));
  const packed = [...OWN_PACKAGES, ...THEIR_PACKAGES];
  execFileSync("npm", ["pack", ...packed, "--pack-destination", folder], { stdio: "pipe" });
  const files = readdirSync(folder).map((name) => `./${name}`);
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...flags, ...files], { cwd: folder, stdio: "pipe" });
  return {
    folder,
    start: (args, env = {}, input = "") => start(folder, args, env, input),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(
  folder: string,
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Running {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME: folder, NODE_ENV: "production", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  // A program that doesn't read its input closes it.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, finished, stderr: () => stderr };
}
