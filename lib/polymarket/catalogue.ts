import "server-only";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { getJson, UpstreamStatus } from "@/lib/polymarket/http";
import { parseMarket, type RemoteMarket, listTokens } from "@/lib/polymarket/markets";
import { WireEvent, WireEventPage, WireEvents } from "@/lib/polymarket/wire/markets";

/** The catalogue refreshes after `FRESH_MS`. The stale one is used meanwhile, up to `STALE_MS`. */
const FRESH_MS = 60_000;
const STALE_MS = 5 * 60_000;
/** The catalogue has the most traded events. Other markets are found by id, slug or token. */
const PAGE = 100;
const PAGES = 3;

export interface Catalogue {
  markets: readonly RemoteMarket[];
  byId: ReadonlyMap<string, RemoteMarket>;
  bySlug: ReadonlyMap<string, RemoteMarket>;
  byToken: ReadonlyMap<string, RemoteMarket>;
}

const cache = new ExpiringCache<Catalogue>({
  max: 1,
  freshMs: FRESH_MS,
  staleMs: STALE_MS,
  name: "catalogue",
});

/** Returns the markets of the most traded events, by volume of the last day. */
export function readCatalogue(): Promise<Catalogue> {
  return cache.get("catalogue", loadCatalogue);
}

/** Returns the cached catalogue or null, without loading it. */
export function findCatalogue(): Catalogue | null {
  return cache.find("catalogue", STALE_MS) ?? null;
}

/** Returns the last catalogue of any age, with its time. */
export const findLastCatalogue = () => cache.last("catalogue");

/** Parses the markets of a list of events. Skips duplicates and markets that cannot be parsed. */
export function parseMarkets(events: readonly unknown[]): RemoteMarket[] {
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
  const markets = parseMarkets(await loadEvents());
  const byId = new Map(markets.map((market) => [market.id, market]));
  return {
    markets,
    byId,
    bySlug: new Map(markets.map((market) => [market.slug, market])),
    byToken: indexByToken(markets),
  };
}

/** Indexes markets by token. Of two markets with the same token, the tradable one wins. */
function indexByToken(markets: readonly RemoteMarket[]): Map<string, RemoteMarket> {
  const byToken = new Map<string, RemoteMarket>();
  for (const market of markets.filter(({ untradable }) => untradable !== null)) {
    for (const tokenId of listTokens(market)) byToken.set(tokenId, market);
  }
  for (const market of markets.filter(({ untradable }) => untradable === null)) {
    for (const tokenId of listTokens(market)) byToken.set(tokenId, market);
  }
  return byToken;
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
    if (seen.has(cursor))
      throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's list repeats a page.");
    seen.add(cursor);
  }
  return events;
}

/** Loads the list by offset, for venues without the cursor endpoint. */
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
