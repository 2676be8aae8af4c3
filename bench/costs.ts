// CPU time and memory of processes. Only Linux reports them precisely enough.
import { readdirSync, readFileSync } from "node:fs";

/** Ticks per second in /proc/<pid>/stat. Fixed for user space on Linux. */
const TICKS_PER_S = 100;
/** Indexes of fields in that file, counted after the name. */
const FIELDS = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 } as const;

/**
 * Reads the CPU seconds of processes and their children, including ended ones; null if the system
 * doesn't report them.
 */
export function readCpuSeconds(pids: readonly number[]): number | null {
  const roots = new Set(pids);
  let ticks = 0;
  let found = 0;
  for (const name of listProcesses()) {
    const stat = read(`/proc/${name}/stat`);
    // The name is in parentheses and can contain any character.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isRoot = roots.has(Number(name));
    if (!isRoot && !roots.has(Number(fields[FIELDS.parent]))) continue;
    found += 1;
    const places: number[] = [FIELDS.user, FIELDS.system];
    if (isRoot) places.push(FIELDS.endedUser, FIELDS.endedSystem);
    for (const place of places) ticks += Number(fields[place] ?? 0);
  }
  return found === 0 ? null : ticks / TICKS_PER_S;
}

/** Reads the resident memory in MiB; null if the system doesn't report it. */
export function readResidentMegabytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
