// What the service takes before anyone asks it anything: start, memory, disk.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { residentMegabytes } from "@/tests/bench/costs";
import { medianOf } from "@/tests/bench/measure";
import { leaveOut, report } from "@/tests/bench/results";
import { type Site, throughNext } from "@/tests/bench/services";
import { type Environment, ROOT } from "@/tests/support/product-process";

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
  isHeld: boolean;
}

export async function measureFootprint(site: Site): Promise<void> {
  await site.createDatabase("fresh");
  const kinds: Kind[] = [
    { name: "Postgres", env: site.onPostgres("fresh"), isHeld: true },
    { name: "embedded", env: site.embedded(), isHeld: true },
    {
      name: "Postgres, through Next",
      env: site.onPostgres("fresh"),
      args: throughNext,
      isHeld: false,
    },
  ];
  const starts = new Map<string, number[]>();
  const memory = new Map<string, number[]>();
  // One more than counts: the first makes the database.
  for (let round = 0; round <= STARTS; round += 1) {
    for (const { name, env, args } of kinds) {
      const { product } = await site.start(env, args);
      if (round > 0) add(starts, name, product.readyInMs);
      if (round === STARTS) {
        await wait(IDLE_AFTER_MS);
        const megabytes = residentMegabytes(product.pid);
        if (megabytes !== null) add(memory, name, megabytes);
      }
      await product.stop();
    }
  }
  for (const kind of kinds) reportKind(kind, starts, memory);
  reportSize("install size (MB)", "node_modules without dev", installMegabytes());
}

function add(values: Map<string, number[]>, name: string, value: number): void {
  values.set(name, [...(values.get(name) ?? []), value]);
}

function reportKind(
  { name: candidate, isHeld }: Kind,
  starts: ReadonlyMap<string, number[]>,
  memory: ReadonlyMap<string, number[]>,
): void {
  const nothing = { p99: null, perSecond: null, cpu: null, ratio: null };
  const start = medianOf(starts.get(candidate) ?? []);
  const held = (limit: string, met: boolean) => (isHeld ? { target: limit, met } : {});
  report({
    ...nothing,
    name: "start to ready, built",
    candidate,
    median: start,
    ...held("≤ 5 s", start !== null && start <= START_WITHIN_MS),
  });
  const idle = medianOf(memory.get(candidate) ?? []);
  if (idle === null) leaveOut("idle memory (MB)", candidate, "only Linux tells it");
  else
    report({
      ...nothing,
      name: "idle memory (MB)",
      candidate,
      median: idle,
      ...held(`≤ ${MEMORY_MB} MB`, idle <= MEMORY_MB),
    });
}

function reportSize(name: string, candidate: string, median: number): void {
  const nothing = { p99: null, perSecond: null, cpu: null, ratio: null };
  const target = `< ${INSTALL_MB} MB`;
  report({ name, candidate, ...nothing, median, target, met: median < INSTALL_MB });
}

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

/** What `npm start` leaves in node_modules: every package that is there and not for development. */
function installMegabytes(): number {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const places = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== "" && dev !== true)
    .map(([place]) => join(ROOT, place));
  const bytes = places.reduce((sum, place) => sum + ownBytes(place), 0);
  return bytes / BYTES_PER_MB;
}

/** The space that a package takes on disk, without the packages inside it, which are counted apart. */
function ownBytes(folder: string): number {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return 0;
  }
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === "node_modules" ? 0 : ownBytes(path);
    else if (entry.isFile()) bytes += statSync(path).blocks * 512;
  }
  return bytes;
}
