import "server-only";
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Holder {
  pid: number;
  /** When the process started, in kernel ticks: tells a reused pid from the holder. */
  startedAt: string | null;
}

/** A turn at removing a stale lock takes less than a millisecond; one this old was abandoned. */
const TURN_MS = 3_000;
const RETRY_MS = 20;

/** Raised when another living process has the data directory open. */
export class DataDirectoryLockedError extends Error {
  override readonly name = "DataDirectoryLockedError";
}

/**
 * Takes the data directory for this process, because two processes on one embedded database lose
 * acknowledged rows without an error. A lock left by a killed process is taken over.
 *
 * @returns a function that gives the lock back.
 */
export function lockDataDirectory(directory: string): () => void {
  const path = join(directory, "lock");
  const mine = `${path}.${process.pid}`;
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  // One that a killed process of the same number left may be the lock itself under another name.
  rmSync(mine, { force: true });
  writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 });
  try {
    // A hard link appears with its content in one step, so nobody can read a half-written lock.
    while (!tryLink(mine, path)) removeStale(path, directory);
  } finally {
    rmSync(mine, { force: true });
  }
  return () => rmSync(path, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Removes the lock of a dead process. One process at a time: a lock taken meanwhile stays. */
function removeStale(path: string, directory: string): void {
  if (!isStale(path, directory)) return;
  const turn = `${path}.turn`;
  if (!tryMakeFolder(turn)) {
    const since = statSync(turn, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > TURN_MS)
      rmSync(turn, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return;
  }
  try {
    // What is stale stays so until the one whose turn it is removes it. Where there is none any
    // more, a new one may appear at any moment: there is nothing to remove.
    if (isStale(path, directory)) rmSync(path, { force: true });
  } finally {
    rmSync(turn, { recursive: true, force: true });
  }
}

/** Whether there is a lock that nobody holds. Throws when a living process holds it. */
function isStale(path: string, directory: string): boolean {
  const text = readIfThere(path);
  if (text === null) return false;
  const holder = parseHolder(text);
  if (!holder || !isAlive(holder)) return true;
  throw new DataDirectoryLockedError(
    `${directory} is in use by process ${holder.pid}; the embedded database serves one process. ` +
      `Stop that process, choose another DATA_DIR, or set DATABASE_URL to share one Postgres.`,
  );
}

function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Null for a text that names nobody. */
function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("pid" in value)) return null;
    const startedAt = "startedAt" in value ? value.startedAt : null;
    return {
      pid: Number(value.pid),
      startedAt: typeof startedAt === "string" ? startedAt : null,
    };
  } catch {
    return null;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
  return startedAt === null || startOf(pid) === startedAt;
}

/** Field 22 of /proc/<pid>/stat; null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
