// The idle footprint of the service: start time, memory and disk.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readResidentMegabytes } from "@/bench/costs";
import { computeMedian } from "@/bench/measure";
import { NO_FIGURES, report, reportMissing } from "@/bench/results";
import type { Allowance } from "@/bench/schedule";
import { type Site, buildNextArguments } from "@/bench/services";
import { type Environment, ROOT } from "@/tests/support/product/process";

const STARTS = 3;
const IDLE_AFTER_MS = 3_000;
const START_WITHIN_MS = 5_000;
const MEMORY_MB = 300;
const INSTALL_MB = 500;
const BYTES_PER_MB = 1024 * 1024;

interface Kind {
  name: string;
  env: Environment;
  args?: (port: number) => readonly string[];
  hasTarget: boolean;
}

export async function measureFootprint(site: Site, allowance: Allowance): Promise<void> {
  const kinds: Kind[] = [
    { name: "Postgres", env: site.onPostgres("fresh"), hasTarget: true },
    { name: "embedded", env: site.embedded(), hasTarget: true },
    {
      name: "Postgres, through Next",
      env: site.onPostgres("fresh"),
      args: buildNextArguments,
      hasTarget: false,
    },
  ];
  const starts = new Map<string, number[]>();
  const memory = new Map<string, number[]>();
  // The first start is not counted, because it creates the database.
  for (let round = 0; round <= STARTS && (round < 2 || allowance.allows(round)); round += 1) {
    for (const { name, env, args } of kinds) {
      const { product } = await site.start(env, args);
      if (round > 0) add(starts, name, product.readyInMs);
      if (round === 1) {
        await wait(IDLE_AFTER_MS);
        const megabytes = readResidentMegabytes(product.pid);
        if (megabytes !== null) add(memory, name, megabytes);
      }
      await product.stop();
    }
  }
  for (const kind of kinds) reportKind(kind, starts, memory);
  reportSize("install size (MB)", "node_modules without dev", measureInstallMegabytes());
}

function add(values: Map<string, number[]>, name: string, value: number): void {
  values.set(name, [...(values.get(name) ?? []), value]);
}

function reportKind(
  { name: candidate, hasTarget }: Kind,
  starts: ReadonlyMap<string, number[]>,
  memory: ReadonlyMap<string, number[]>,
): void {
  const start = computeMedian(starts.get(candidate) ?? []);
  const withTarget = (limit: string, met: boolean) => (hasTarget ? { target: limit, met } : {});
  report({
    ...NO_FIGURES,
    name: "start to ready, built",
    candidate,
    median: start,
    ...withTarget("≤ 5 s", start !== null && start <= START_WITHIN_MS),
  });
  const idle = computeMedian(memory.get(candidate) ?? []);
  if (idle === null) reportMissing("idle memory (MB)", candidate, "only Linux reports it");
  else
    report({
      ...NO_FIGURES,
      name: "idle memory (MB)",
      candidate,
      median: idle,
      ...withTarget(`≤ ${MEMORY_MB} MB`, idle <= MEMORY_MB),
    });
}

function reportSize(name: string, candidate: string, median: number): void {
  const target = `< ${INSTALL_MB} MB`;
  report({ ...NO_FIGURES, name, candidate, median, target, met: median < INSTALL_MB });
}

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

/** Measures what `npm start` installs: every package in node_modules that is not a dev dependency. */
function measureInstallMegabytes(): number {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const places = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== "" && dev !== true)
    .map(([place]) => join(ROOT, place));
  const bytes = places.reduce((sum, place) => sum + measureBytes(place), 0);
  return bytes / BYTES_PER_MB;
}

/** Measures a package's size on disk without nested packages, which are counted separately. */
function measureBytes(folder: string): number {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return 0;
  }
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === "node_modules" ? 0 : measureBytes(path);
    else if (entry.isFile()) bytes += statSync(path).blocks * 512;
  }
  return bytes;
}
