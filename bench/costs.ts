// CPU time and memory of processes. Only Linux reports them precisely enough.
import { readdirSync, readFileSync } from "node:fs";

/** Ticks per second in /proc/<pid>/stat. Fixed for user space on Linux. */
const TICKS_PER_S = 100;
/** Indexes of fields in that file, counted after the name. */
const FIELDS = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 } as const;

/** CPU seconds of Node and of Postgres since these processes started. */
export interface CpuSeconds {
  node: number;
  postgres: number;
}

/** Reads the CPU time that counts for a candidate; null if the system doesn't report it. */
export type CpuReader = () => CpuSeconds | null;

/** The Postgres server, or only its connections to one database. */
export interface PostgresUse {
  pid: number;
  database?: string;
}

/** Makes a reader of Node processes and the Postgres that they use. */
export function makeCpuReader(
  pids: readonly number[],
  postgres: PostgresUse | null = null,
): CpuReader {
  return () => {
    const node = readSeconds(new Set(pids), () => true);
    if (node === null && pids.length > 0) return null;
    return { node: node ?? 0, postgres: postgres === null ? 0 : readPostgres(postgres) };
  };
}

/** Reads the CPU seconds of this process without its children. */
export const readOwnCpu: CpuReader = () => {
  const { user, system } = process.cpuUsage();
  return { node: (user + system) / 1e6, postgres: 0 };
};

/** Reads the CPU seconds of this process's children that have ended. */
export function readEndedChildren(): number {
  const fields = readStat(String(process.pid));
  return (Number(fields[FIELDS.endedUser]) + Number(fields[FIELDS.endedSystem])) / TICKS_PER_S;
}

/** A connection's process has the name of its database in its command line. */
function readPostgres({ pid, database }: PostgresUse): number {
  const counts = (name: string) =>
    database === undefined || read(`/proc/${name}/cmdline`).includes(` ${database} `);
  return readSeconds(new Set([pid]), counts, database === undefined) ?? 0;
}

/** Sums up the CPU seconds of processes and their children; null if there are none. */
function readSeconds(
  roots: ReadonlySet<number>,
  countsChild: (name: string) => boolean,
  countsRoots = true,
): number | null {
  let ticks = 0;
  let found = 0;
  for (const name of listProcesses()) {
    const fields = readStat(name);
    const isRoot = roots.has(Number(name));
    if (!isRoot && !roots.has(Number(fields[FIELDS.parent]))) continue;
    found += 1;
    if (isRoot ? !countsRoots : !countsChild(name)) continue;
    const places: number[] = [FIELDS.user, FIELDS.system];
    if (isRoot) places.push(FIELDS.endedUser, FIELDS.endedSystem);
    for (const place of places) ticks += Number(fields[place] ?? 0);
  }
  return found === 0 ? null : ticks / TICKS_PER_S;
}

/** Reads the fields after the name, which is in parentheses and can contain any character. */
function readStat(name: string): string[] {
  const stat = read(`/proc/${name}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
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
