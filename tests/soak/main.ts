// Runs mixed load with faults for any time. Started by lib/cli/soak.mjs.
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Service, Site } from "@/bench/services";
import { type MemorySample, sampleMemory } from "@/tests/soak/memory";
import { DELIVERED_LATE, DELIVERED, NOT_DELIVERED } from "@/tests/support/live/faults";
import {
  cancelEverything,
  countReservingOrders,
  findDisagreements,
  startLiveEnvironment,
  type LiveEnvironment,
  listTokens,
  untilKnown,
} from "@/tests/support/live/product-stack";
import { MixedLoad } from "@/tests/support/live/mixed-load";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { endAll } from "@/tests/support/product/process";
import { Random, readSeed } from "@/tests/support/random";

const TRADERS = 6;
const SAMPLES = 6;
const KILLS_PER_RUN = 10;
/** Share of venue calls with a fault. */
const FAULT_RATE = 0.08;
/** Longer than any late delivery of the network. */
const LATEST_MS = 5_000;
const SETTLE_WITHIN_MS = 180_000;
const MAX_REPEATED = 2_000;
/** How much larger the heap may be at the end than at the first sample. */
const MAX_GROWTH = 1.25;
const GROWTH_SLACK_MIB = 24;

const print = (text: string) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "30" },
    seed: { type: "string", default: String(readSeed()) },
  },
});
const positive = (name: keyof typeof values): number => {
  const number = Number(values[name]);
  if (number > 0) return number;
  throw new Error(`--${name} must be a number`);
};
const [minutes, rate, seed] = [positive("minutes"), positive("rate"), positive("seed")];
const random = new Random(seed);
const site = new Site();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
process.once("uncaughtException", (reason) => {
  print(`soak: failed: ${reason.stack ?? String(reason)}`);
  void end().finally(() => process.exit(1));
});
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await end();
}

async function end(): Promise<void> {
  await endAll();
  await site.close();
}

async function soak(): Promise<boolean> {
  print(`soak: ${minutes} minutes at ${rate} requests a second, seed ${seed}`);
  await site.open();
  const ground = await startLiveEnvironment(site, TRADERS);
  const inspectPort = await freePort();
  const inspected = () => [`--inspect=127.0.0.1:${inspectPort}`, "server.mjs"];
  // The first process runs to the end and is measured. The second one is killed repeatedly.
  const watched = await site.start(ground.environment, inspected);
  const mortal = { service: await site.start(ground.environment) };
  const load = await startLoad(ground, watched, mortal);
  const samples = await runFaults({ ground, load, watched, mortal }, inspectPort);
  await load.stop();
  ground.network.fault = () => null;
  ground.network.calls.length = 0;
  const problems = [...(await settle(ground, load, watched.port)), ...checkGrowth(samples)];
  print(JSON.stringify(load.counts, null, 2));
  print(`soak: ${await countReservingOrders(ground)} live orders, ${problems.length} problems`);
  for (const problem of problems.slice(0, 40)) print(`  ${problem}`);
  await ground.network.close();
  return problems.length === 0;
}

async function startLoad(
  ground: LiveEnvironment,
  watched: Service,
  mortal: { service: Service },
): Promise<MixedLoad> {
  const { traders } = ground;
  const load = new MixedLoad({
    ports: () => [watched.port, mortal.service.port],
    traders,
    tokens: await listTokens(ground, watched),
    random: random.fork(1),
    perSecond: rate,
  });
  load.start();
  return load;
}

interface Running {
  ground: LiveEnvironment;
  load: MixedLoad;
  watched: Service;
  mortal: { service: Service };
}

/** Injects faults, kills the second process and samples memory until the time is up. */
async function runFaults(
  { ground, load, watched, mortal }: Running,
  inspectPort: number,
): Promise<MemorySample[]> {
  const faults = Object.values({ ...NOT_DELIVERED, ...DELIVERED, ...DELIVERED_LATE });
  const dice = random.fork(2);
  ground.network.fault = () => {
    // Cleared, because a long run has many calls and only the last ones matter.
    ground.network.calls.length = 0;
    return dice.chance(FAULT_RATE) ? dice.pick(faults) : null;
  };
  const startedAt = Date.now();
  const lengthMs = minutes * 60_000;
  const samples: MemorySample[] = [];
  let kills = 0;
  while (Date.now() - startedAt < lengthMs) {
    await wait(1_000);
    const part = (Date.now() - startedAt) / lengthMs;
    if (part >= (kills + 0.5) / KILLS_PER_RUN) {
      kills += 1;
      const { product } = mortal.service;
      await product.crash();
      mortal.service = await site.start(ground.environment);
    }
    if (part >= (samples.length + 1) / SAMPLES) {
      const minute = Math.round((Date.now() - startedAt) / 6_000) / 10;
      const sample = await sampleMemory({ pid: watched.product.pid, inspectPort }, minute);
      samples.push(sample);
      const { rss, heap } = sample;
      const counts = `${load.placements.length} orders, ${load.answered} answered, ${kills} kills`;
      print(`minute ${minute}: RSS ${rss} MiB, heap ${heap} MiB; ${counts}`);
      for (const problem of load.problems) print(`  PROBLEM ${problem}`);
    }
  }
  return samples;
}

/** Waits until every outcome is known, and compares responses with the final state. */
async function settle(ground: LiveEnvironment, load: MixedLoad, port: number): Promise<string[]> {
  await wait(LATEST_MS);
  const unanswered = await load.askForAll(SETTLE_WITHIN_MS);
  await cancelEverything(ground, port);
  const unknown = await untilKnown(ground, SETTLE_WITHIN_MS);
  await load.repeatAll(MAX_REPEATED);
  const orders = await load.checkLists();
  print(`soak: ${orders} orders on ${load.placements.length} keys`);
  const left = [
    ...(unanswered > 0 ? [`${unanswered} keys got no final response`] : []),
    ...(unknown > 0 ? [`${unknown} orders have no known outcome`] : []),
  ];
  return [...left, ...load.problems, ...(await findDisagreements(ground))];
}

function checkGrowth(samples: readonly MemorySample[]): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.heap <= first.heap * MAX_GROWTH + GROWTH_SLACK_MIB) return [];
  return [`the heap grew from ${first.heap} to ${last.heap} MiB`];
}
