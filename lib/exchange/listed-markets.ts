import "server-only";
import { assert } from "@/lib/errors";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import { DAY_MS, type EventTemplate } from "@/lib/exchange/catalogue/template";
import { buildMarket, type PaperMarket } from "@/lib/exchange/paper-market";
import { getPaperSeed, type PaperSeed } from "@/lib/exchange/seed";

/** A closed market stays listed as long again as it was open, at most a week. */
const MAX_LISTED_AFTER_MS = 7 * DAY_MS;

interface Listing {
  markets: readonly PaperMarket[];
  byId: ReadonlyMap<string, PaperMarket>;
  bySlug: ReadonlyMap<string, PaperMarket>;
  byToken: ReadonlyMap<string, PaperMarket>;
}

/** The catalogue repeats each event. An instance is one repetition. */
interface EventInstance {
  event: EventTemplate;
  instance: number;
}

let built = new Map<string, PaperMarket[]>();
/** The listing, and the time span in which it does not change. */
let current: { seed: PaperSeed; from: number; until: number; listing: Listing } | undefined;

/** Returns the markets that are listed at an instant: open and recently closed ones. */
export function getListedMarkets(at: number): Listing {
  const seed = getPaperSeed();
  if (!current || current.seed !== seed || at < current.from || at >= current.until) {
    const instances = EVENT_TEMPLATES.flatMap((event) => listInstances(event, at));
    if (current?.seed !== seed) built = new Map();
    // Reuses built markets that are still listed and drops the others, so the map does not grow.
    built = new Map(
      instances.map((one) => {
        const key = `${one.event.id}/${one.instance}`;
        return [key, built.get(key) ?? buildMarkets(seed, one)];
      }),
    );
    current = { seed, ...computeSpan(at), listing: toListing([...built.values()].flat()) };
  }
  return current.listing;
}

/** Rebuilds a market from the template and instance in its database row. */
export function rebuildMarket(origin: {
  templateId: string | null;
  templateMarketId: string | null;
  instance: number | null;
}): PaperMarket {
  assert(origin.instance !== null, "a paper market comes from the catalogue");
  const event = EVENT_TEMPLATES.find((candidate) => candidate.id === origin.templateId);
  const template = event?.markets.find((candidate) => candidate.id === origin.templateMarketId);
  assert(event && template, `the catalogue keeps template ${origin.templateId}`);
  return buildMarket(getPaperSeed(), event, template, origin.instance);
}

function listInstances(event: EventTemplate, at: number): EventInstance[] {
  const { oldest, newest } = computeInstanceRange(event, at);
  const instances: EventInstance[] = [];
  for (let instance = oldest; instance <= newest; instance += 1)
    instances.push({ event, instance });
  return instances;
}

/** Returns the instances of an event that are listed at an instant. */
function computeInstanceRange(
  { cadence }: EventTemplate,
  at: number,
): { oldest: number; newest: number } {
  const { everyMs, phaseMs } = cadence;
  const newest = Math.floor((at - phaseMs) / everyMs);
  const oldest = Math.floor((at - phaseMs - computeListedMs(cadence)) / everyMs) + 1;
  return { oldest, newest };
}

/** Returns the time from the last change of the listing to the next one. */
function computeSpan(at: number): { from: number; until: number } {
  let [from, until] = [-Infinity, Infinity];
  for (const event of EVENT_TEMPLATES) {
    const { everyMs, phaseMs } = event.cadence;
    const { oldest, newest } = computeInstanceRange(event, at);
    const added = phaseMs + newest * everyMs;
    const left = phaseMs + computeListedMs(event.cadence) + (oldest - 1) * everyMs;
    from = Math.max(from, added, left);
    until = Math.min(until, added + everyMs, left + everyMs);
  }
  return { from, until };
}

const computeListedMs = ({ lastsMs }: EventTemplate["cadence"]) =>
  lastsMs + Math.min(lastsMs, MAX_LISTED_AFTER_MS);

function buildMarkets(seed: PaperSeed, { event, instance }: EventInstance): PaperMarket[] {
  return event.markets.map((template) => buildMarket(seed, event, template, instance));
}

function toListing(markets: PaperMarket[]): Listing {
  return {
    markets,
    byId: new Map(markets.map((market) => [market.id, market])),
    bySlug: new Map(markets.map((market) => [market.slug, market])),
    byToken: new Map(
      markets.flatMap((market) =>
        market.outcomes.map(({ tokenId }): [string, PaperMarket] => [tokenId, market]),
      ),
    ),
  };
}
