// Runs the benchmark and writes bench-results.json. Started by lib/cli/bench.mjs.
import { openExchange } from "@/bench/exchange";
import { installPeer } from "@/bench/peer";
import { endLoad } from "@/bench/load/load";
import { publish, reportMissing } from "@/bench/results";
import { measureEvents } from "@/bench/rows-events";
import { measureFootprint } from "@/bench/rows-footprint";
import { measureGrowth } from "@/bench/rows-growth";
import { measureLive } from "@/bench/rows-live";
import { measureOrders } from "@/bench/rows-orders";
import { measurePages } from "@/bench/rows-pages";
import { measurePeer } from "@/bench/rows-peer";
import { measureReads } from "@/bench/rows-reads";
import { measureStored } from "@/bench/rows-stored";
import { Site } from "@/bench/services";
import { prepareStage, type Stage } from "@/bench/stage";
import { endAll } from "@/tests/support/product/process";

/** No part starts later than this, so that a run takes at most ten minutes. */
const LAST_START_S = 540;

const startedAt = performance.now();
/** The parts named on the command line; empty for all. */
const wanted = new Set(process.argv.slice(2));

const site = new Site();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
/** Why the peer could not be installed, or null. It is installed while the services start. */
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
  const stage = await prepareStage(site);
  await peerReason;
  say("All services are running.");
  const parts: [string, (on: Stage) => Promise<void>][] = [
    ["reads", measureReads],
    ["pages", measurePages],
    ["orders", measureOrders],
    ["growth", measureGrowth],
  ];
  for (const [name, measure] of parts) await measurePart(name, () => measure(stage));
  await endAll();
  await measurePart("stored", () => measureStored(site, stage.onPostgres));
  await measurePart("events", () => measureEvents(site, stage.onPostgres));
  await measurePart("live", measureExchange);
  await measurePart("footprint", () => measureFootprint(site));
}

async function measureExchange(): Promise<void> {
  const exchange = await openExchange(site);
  await measureLive(exchange);
  await measurePeer(exchange, await peerReason);
  await exchange.service.product.stop();
  await exchange.upstream.product.stop();
}

/** Measures one part. A failed part appears in the table, and the others are still measured. */
async function measurePart(name: string, measure: () => Promise<void>): Promise<void> {
  if (!isWanted(name)) return;
  if (countSeconds() > LAST_START_S)
    return reportMissing(name, "skipped", "the ten minutes were over");
  say(`Measuring ${name}.`);
  try {
    await measure();
  } catch (error) {
    reportMissing(name, "failed", error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

function isWanted(name: string): boolean {
  return wanted.size === 0 || wanted.has(name);
}

function say(message: string): void {
  process.stderr.write(`bench, ${countSeconds()} s: ${message}\n`);
}

function countSeconds(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}
