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
let current: { key: string; listing: Listing } | undefined;

/** The markets that exist at an instant: those open, and those that closed not long ago. */
export function listingAt(at: number): Listing {
  const instances = EVENT_TEMPLATES.flatMap((event) => instancesAt(event, at));
  const keys = instances.map(
    ({ event, instance }) => `${env().PAPER_SEED}/${event.id}/${instance}`,
  );
  const key = keys.join(" ");
  if (current?.key !== key) {
    // Only what is still listed is carried over, so the memory does not grow with time.
    built = new Map(
      instances.map((one, index) => [
        keys[index] ?? "",
        built.get(keys[index] ?? "") ?? build(one),
      ]),
    );
    current = { key, listing: toListing([...built.values()].flat()) };
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
  const { everyMs, lastsMs, phaseMs } = event.cadence;
  const listedMs = lastsMs + Math.min(lastsMs, MAX_LISTED_AFTER_MS);
  const newest = Math.floor((at - phaseMs) / everyMs);
  const oldest = Math.floor((at - phaseMs - listedMs) / everyMs) + 1;
  const instances: EventInstance[] = [];
  for (let instance = oldest; instance <= newest; instance += 1)
    instances.push({ event, instance });
  return instances;
}

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
