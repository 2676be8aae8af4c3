// The benchmark, from an empty folder to bench-results.json. Started by lib/cli/bench.mjs.
import { openExchange } from "@/tests/bench/exchange";
import { installPeer } from "@/tests/bench/peer";
import { endLoad } from "@/tests/bench/load/load";
import { leaveOut, publish } from "@/tests/bench/results";
import { measureFootprint } from "@/tests/bench/rows-footprint";
import { measureGrowth } from "@/tests/bench/rows-growth";
import { measureLive } from "@/tests/bench/rows-live";
import { measureOrders } from "@/tests/bench/rows-orders";
import { measurePages } from "@/tests/bench/rows-pages";
import { measurePeer } from "@/tests/bench/rows-peer";
import { measureReads } from "@/tests/bench/rows-reads";
import { measureStored } from "@/tests/bench/rows-stored";
import { Site } from "@/tests/bench/services";
import { setStage, type Stage } from "@/tests/bench/stage";
import { endAll } from "@/tests/support/product-process";

/** No part begins later than this, so that the whole takes ten minutes at most. */
const LAST_BEGIN_S = 540;

const startedAt = performance.now();
/** Parts to measure, from the command line; all of them unless some are named. */
const wanted = new Set(process.argv.slice(2));

const site = new Site();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
/** Why the peer is not there, or null. It is fetched while the stage is set. */
const peerReason = isWanted("live") ? installPeer() : Promise.resolve(null);
try {
  await site.open();
  await measureAll();
} finally {
  await end();
}
publish();

async function end(): Promise<void> {
  endLoad();
  await endAll();
  await site.close();
}

async function measureAll(): Promise<void> {
  const stage = await setStage(site);
  await peerReason;
  say("everything is up");
  const parts: [string, (on: Stage) => Promise<void>][] = [
    ["reads", measureReads],
    ["pages", measurePages],
    ["orders", measureOrders],
    ["growth", measureGrowth],
  ];
  for (const [name, measure] of parts) await part(name, () => measure(stage));
  await endAll();
  await part("stored", () => measureStored(site, stage.onPostgres));
  await part("live", measureExchange);
  await part("footprint", () => measureFootprint(site));
}

async function measureExchange(): Promise<void> {
  const exchange = await openExchange(site);
  await measureLive(exchange);
  await measurePeer(exchange, await peerReason);
  await exchange.service.product.stop();
  await exchange.upstream.product.stop();
}

/** A part that breaks says so in the table, and the others are measured all the same. */
async function part(name: string, measure: () => Promise<void>): Promise<void> {
  if (!isWanted(name)) return;
  if (secondsSoFar() > LAST_BEGIN_S) return leaveOut(name, "not begun", "ten minutes were over");
  say(name);
  try {
    await measure();
  } catch (error) {
    leaveOut(name, "broke off", error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

function isWanted(name: string): boolean {
  return wanted.size === 0 || wanted.has(name);
}

function say(message: string): void {
  process.stderr.write(`bench, ${secondsSoFar()} s: ${message}\n`);
}

function secondsSoFar(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}
