// pgbench, which comes with Postgres: the anchor of orders. Its TPC-B script changes three rows and
// inserts one in a durable transaction, about the least that an order could do.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeCpuReader, readEndedChildren } from "@/bench/costs";
import { CONNECTIONS, type Round } from "@/bench/measure";
import type { Site } from "@/bench/services";

export const PGBENCH = "pgbench";
const DATABASE = "pgbench";
/** Ten branches, so that ten connections seldom wait for the same one. */
const SCALE = "10";
const DEBIAN = "/usr/lib/postgresql";
const MIN_S = 1;

/** Finds the program; null if it is not installed. The binaries of our tests have none. */
export function findPgbench(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const places = ["/usr/bin/pgbench", ...versions.map((each) => join(DEBIAN, each, "bin/pgbench"))];
  return places.find((place) => existsSync(place)) ?? null;
}

/** Creates its tables. Returns a function that measures one round on the benchmark's server. */
export async function preparePgbench(
  site: Site,
  program: string,
): Promise<(seconds: number) => Promise<Round>> {
  await site.createDatabase(DATABASE);
  const url = site.buildUrl(DATABASE);
  const run = async (args: readonly string[]) =>
    (await promisify(execFile)(program, [...args, url])).stdout;
  await run(["--initialize", "--quiet", `--scale=${SCALE}`]);
  const readPostgres = makeCpuReader([], { pid: site.postgresPid });
  return async (seconds) => {
    const [postgres, own] = [readPostgres()?.postgres ?? null, readEndedChildren()];
    const time = `--time=${Math.max(MIN_S, Math.round(seconds))}`;
    const output = await run([
      "--protocol=prepared",
      "--no-vacuum",
      `--client=${CONNECTIONS}`,
      time,
    ]);
    const count = parseNumber(output, /actually processed: (\d+)/);
    const toMs = (spent: number) => (spent * 1000) / count;
    const figures = {
      median: parseNumber(output, /latency average = ([\d.]+)/),
      p99: null,
      perSecond: parseNumber(output, /tps = ([\d.]+)/),
      nodeCpu: toMs(readEndedChildren() - own),
      postgresCpu:
        postgres === null ? null : toMs((readPostgres()?.postgres ?? postgres) - postgres),
    };
    return { figures, failures: null, collected: [] };
  };
}

function parseNumber(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`pgbench printed something else:\n${output}`);
  return Number(found);
}
