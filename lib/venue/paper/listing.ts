import "server-only";
import { assert } from "@/lib/errors";
import { env } from "@/lib/env";
import { EVENT_TEMPLATES } from "@/lib/venue/paper/catalogue";
import { DAY_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";
import { buildMarket, type PaperMarket } from "@/lib/venue/paper/market";

/** Resolved markets stay listed for as long as they lasted, at most a week. */
const MAX_LISTED_AFTER_MS = 7 * DAY_MS;

interface Listing {
  markets: readonly PaperMarket[];
  byId: ReadonlyMap<string, PaperMarket>;
  bySlug: ReadonlyMap<string, PaperMarket>;
  byToken: ReadonlyMap<string, PaperMarket>;
}

/** One instance of one event. */
interface EventInstance {
  event: EventTemplate;
  instance: number;
}

let built = new Map<string, PaperMarket[]>();
/** The listing and the span of time in which nothing is added to it and nothing leaves it. */
let current: { seed: string; from: number; until: number; listing: Listing } | undefined;

/** The markets that exist at an instant: those open, and those that closed not long ago. */
export function listingAt(at: number): Listing {
  const seed = env().PAPER_SEED;
  if (!current || current.seed !== seed || at < current.from || at >= current.until) {
    const instances = EVENT_TEMPLATES.flatMap((event) => instancesAt(event, at));
    // Only what is still listed is carried over, so the memory does not grow with time.
    built = new Map(
      instances.map((one) => {
        const key = `${seed}/${one.event.id}/${one.instance}`;
        return [key, built.get(key) ?? build(one)];
      }),
    );
    current = { seed, ...spanAround(at), listing: toListing([...built.values()].flat()) };
  }
  return current.listing;
}

/** Rebuilds a market that is no longer listed from what its database row says of its origin. */
export function rebuildMarket(origin: {
  templateId: string | null;
  templateMarketId: string | null;
  instance: number | null;
}): PaperMarket {
  assert(origin.instance !== null, "a paper market comes from the catalogue");
  const event = EVENT_TEMPLATES.find((candidate) => candidate.id === origin.templateId);
  const template = event?.markets.find((candidate) => candidate.id === origin.templateMarketId);
  assert(event && template, `the catalogue keeps template ${origin.templateId}`);
  return buildMarket(env().PAPER_SEED, event, template, origin.instance);
}

function instancesAt(event: EventTemplate, at: number): EventInstance[] {
  const { oldest, newest } = rangeAt(event, at);
  const instances: EventInstance[] = [];
  for (let instance = oldest; instance <= newest; instance += 1)
    instances.push({ event, instance });
  return instances;
}

/** The instances of an event that are listed at an instant. */
function rangeAt({ cadence }: EventTemplate, at: number): { oldest: number; newest: number } {
  const { everyMs, phaseMs } = cadence;
  const newest = Math.floor((at - phaseMs) / everyMs);
  const oldest = Math.floor((at - phaseMs - listedMs(cadence)) / everyMs) + 1;
  return { oldest, newest };
}

/** From the last change of the listing to the next one. */
function spanAround(at: number): { from: number; until: number } {
  let [from, until] = [-Infinity, Infinity];
  for (const event of EVENT_TEMPLATES) {
    const { everyMs, phaseMs } = event.cadence;
    const { oldest, newest } = rangeAt(event, at);
    const added = phaseMs + newest * everyMs;
    const left = phaseMs + listedMs(event.cadence) + (oldest - 1) * everyMs;
    from = Math.max(from, added, left);
    until = Math.min(until, added + everyMs, left + everyMs);
  }
  return { from, until };
}

const listedMs = ({ lastsMs }: EventTemplate["cadence"]) =>
  lastsMs + Math.min(lastsMs, MAX_LISTED_AFTER_MS);

function build({ event, instance }: EventInstance): PaperMarket[] {
  return event.markets.map((template) => buildMarket(env().PAPER_SEED, event, template, instance));
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
