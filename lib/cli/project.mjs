// Helpers of every command: the project's root, running programs, and stamps of finished work.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
const OLDEST_NODE = [20, 19];
const PROGRESS_MS = 5000;

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(`Ante needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node}.`);
}

/** Prints progress to standard error, because standard output is for the command's result. */
export function say(message) {
  process.stderr.write(`${message}\n`);
}

export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Runs long work. Prints a message at the start, progress every few seconds, and the end. */
export async function step(message, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  say(`${message}…`);
  const timer = setInterval(() => say(`  …${seconds()} s`), PROGRESS_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  say(`  done in ${seconds()} s`);
}

/** Runs a program in the project's root. Throws unless it exits with 0. */
export async function run(command, args, { quiet = false, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    // Stops Next from reading .env files itself: see environment.mjs.
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", __NEXT_PROCESSED_ENV: "true", ...env },
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code === 0) return;
  process.stderr.write(output);
  throw new Error(`${command} ${args.join(" ")} exited with ${code}`);
}

export const bin = (name) => join(ROOT, "node_modules", ".bin", name);

/** Computes a digest of files and folders of the project, from names and content. */
export function computeDigest(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => listFiles(join(ROOT, path))).toSorted()) {
    hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** Does `work` unless the `stamp` file shows that it was done for this digest. */
export async function onceFor(stamp, digest, work) {
  const path = join(ROOT, stamp);
  if (read(path) === digest) return;
  // Removed first: interrupted work leaves neither the old nor the new result.
  rmSync(path, { force: true });
  await work();
  writeFileSync(path, digest);
}

function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
