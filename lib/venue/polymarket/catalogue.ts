import "server-only";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { getJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import { parseMarket, type RemoteMarket } from "@/lib/venue/polymarket/markets";
import { WireEvent, WireEventPage, WireEvents } from "@/lib/venue/polymarket/wire/markets";

/** The listing is renewed after this long, and while that goes on shown for some more. */
const FRESH_MS = 60_000;
const STALE_MS = 5 * 60_000;
/** The events that are traded most. Everything else is found by id, slug or token. */
const PAGE = 100;
const PAGES = 3;

export interface Catalogue {
  markets: readonly RemoteMarket[];
  byId: ReadonlyMap<string, RemoteMarket>;
  bySlug: ReadonlyMap<string, RemoteMarket>;
  byToken: ReadonlyMap<string, RemoteMarket>;
}

const kept = new ExpiringCache<Catalogue>({
  max: 1,
  freshMs: FRESH_MS,
  staleMs: STALE_MS,
  name: "catalogue",
});

/** The markets of the events that are traded most, by their volume of a day. */
export function readCatalogue(): Promise<Catalogue> {
  return kept.get("catalogue", loadCatalogue);
}

/** The listing if it was read before. Whoever needs one market does not wait for all of them. */
export function knownCatalogue(): Catalogue | null {
  return kept.find("catalogue", STALE_MS) ?? null;
}

/** The listing as it was read last, however long ago, and when. */
export const lastCatalogue = () => kept.last("catalogue");

/** The markets in a list of events, each once, without what nothing can be said about. */
export function marketsOf(events: readonly unknown[]): RemoteMarket[] {
  const byId = new Map<string, RemoteMarket>();
  for (const wire of events) {
    const event = WireEvent.safeParse(wire);
    if (!event.success) continue;
    for (const each of event.data.markets ?? []) {
      const market = parseMarket(each, event.data);
      if (market && !market.needsFeeRate && !byId.has(market.id)) byId.set(market.id, market);
    }
  }
  return [...byId.values()];
}

async function loadCatalogue(): Promise<Catalogue> {
  const markets = marketsOf(await loadEvents());
  const byId = new Map(markets.map((market) => [market.id, market]));
  return {
    markets,
    byId,
    bySlug: new Map(markets.map((market) => [market.slug, market])),
    byToken: new Map(
      markets.flatMap((market) => market.outcomes.map(({ tokenId }) => [tokenId, market])),
    ),
  };
}

const QUERY = { limit: String(PAGE), order: "volume24hr", ascending: "false", closed: "false" };

async function loadEvents(): Promise<unknown[]> {
  try {
    return await loadByCursor();
  } catch (error) {
    if (!(error instanceof UpstreamStatus) || error.upstreamStatus !== 404) throw error;
    return loadByOffset();
  }
}

async function loadByCursor(): Promise<unknown[]> {
  const events: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query: Record<string, string> =
      cursor === null ? QUERY : { ...QUERY, after_cursor: cursor };
    const found = await getJson("gamma", "/events/keyset", query, WireEventPage);
    events.push(...found.events);
    cursor = found.next_cursor || null;
    if (cursor === null) return events;
    if (seen.has(cursor)) throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's list repeats");
    seen.add(cursor);
  }
  return events;
}

/** As the venue listed before it had cursors, and as some that speak its protocol still do. */
async function loadByOffset(): Promise<unknown[]> {
  const events: unknown[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    const query = { ...QUERY, offset: String(page * PAGE) };
    const found = await getJson("gamma", "/events", query, WireEvents);
    events.push(...found);
    if (found.length < PAGE) return events;
  }
  return events;
}
