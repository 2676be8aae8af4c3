// All parts of the benchmark, the most important ones first.
import { type Exchanges, openExchanges } from "@/bench/exchange";
import { installPeer } from "@/bench/peer";
import { measureChangedReads } from "@/bench/rows-changed-reads";
import { measureEvents } from "@/bench/rows-events";
import { measureFootprint } from "@/bench/rows-footprint";
import { measureGrowth } from "@/bench/rows-growth";
import { measureLive } from "@/bench/rows-live";
import { measureOrders } from "@/bench/rows-orders";
import { measurePages } from "@/bench/rows-pages";
import { measurePeer } from "@/bench/rows-peer";
import { measureReads } from "@/bench/rows-reads";
import { measureStored } from "@/bench/rows-stored";
import type { Allowance, Part } from "@/bench/schedule";
import { Site } from "@/bench/services";
import { prepareStage, type Stage } from "@/bench/stage";

export interface Parts {
  site: Site;
  parts: readonly Part[];
}

/** Parts that the short run leaves out, because what they measure seldom changes. */
const ONLY_IN_FULL = new Set(["growth", "stored", "events", "footprint", "pages"]);

/**
 * Lists the parts of a run.
 *
 * @param wanted names of parts; empty for all.
 */
export function listParts(isQuick: boolean, wanted: readonly string[]): Parts {
  const site = new Site();
  let stage: Promise<Stage> | undefined;
  let exchanges: Promise<Exchanges> | undefined;
  // Each is opened by the first part that needs it.
  const openStage = () => (stage ??= prepareStage(site));
  const openExchange = () => (exchanges ??= openExchanges(site));
  type Measure<Opened> = (opened: Opened, time: Allowance) => Promise<void>;
  const onStage = (name: string, weight: number, measure: Measure<Stage>): Part => ({
    name,
    weight,
    open: openStage,
    measure: async (time) => measure(await openStage(), time),
  });
  const onExchange = (name: string, weight: number, measure: Measure<Exchanges>): Part => ({
    name,
    weight,
    open: openExchange,
    measure: async (time) => measure(await openExchange(), time),
  });
  const all: Part[] = [
    onStage("orders", 6, measureOrders),
    onStage("changed", 4, measureChangedReads),
    onExchange("live", 6, measureLive),
    onStage("reads", 8, measureReads),
    onExchange("peer", 4, async (opened, time) => measurePeer(opened, await installPeer(), time)),
    onStage("growth", 6, measureGrowth),
    onStage("stored", 6, ({ onPostgres }, time) => measureStored(site, onPostgres, time)),
    onStage("events", 4, ({ onPostgres }, time) => measureEvents(site, onPostgres, time)),
    {
      name: "footprint",
      weight: 4,
      open: () => site.createDatabase("fresh"),
      measure: (time) => measureFootprint(site, time),
    },
    onStage("pages", 2, measurePages),
  ];
  const unknown = wanted.filter((name) => !all.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(", ");
    throw new Error(`There is no part ${unknown.join(", ")}. The parts are ${known}.`);
  }
  const isChosen = ({ name }: Part) =>
    wanted.length === 0 ? !(isQuick && ONLY_IN_FULL.has(name)) : wanted.includes(name);
  return { site, parts: all.filter(isChosen) };
}
