// What processes cost, as the operating system counts it. Only Linux tells it precisely enough.
import { readdirSync, readFileSync } from "node:fs";

/** Ticks of /proc/<pid>/stat a second: fixed for user space on Linux, whatever the kernel's own. */
const TICKS_PER_S = 100;
/** Places in that file, counted from behind the name. */
const FIELDS = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 } as const;

/**
 * Seconds of processor time of these processes and their children, those that ended included; null
 * where nobody tells.
 */
export function cpuSeconds(pids: readonly number[]): number | null {
  const roots = new Set(pids);
  let ticks = 0;
  let found = 0;
  for (const name of processNames()) {
    const stat = read(`/proc/${name}/stat`);
    // The name in parentheses may hold anything.
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

/** Resident memory in MiB; null where nobody tells. */
export function residentMegabytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

function processNames(): string[] {
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
