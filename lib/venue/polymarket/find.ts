import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { ExpiringCache } from "@/lib/expiring-cache";
import { orLastKnown } from "@/lib/showing";
import { knownCatalogue, lastCatalogue } from "@/lib/venue/polymarket/catalogue";
import { getJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import { parseMarket, type RemoteMarket, withClobRules } from "@/lib/venue/polymarket/markets";
import { ClobMarket, WireMarkets } from "@/lib/venue/polymarket/wire/markets";

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
const TOKEN_ID = /^\d{1,78}$/;
const SLUG = /^[A-Za-z0-9_-]{1,300}$/;

/** Rules of trading are no older than this: ticks change while a market is open. */
const RULES_FRESH_MS = 30_000;
/** Words, outcomes and ends of markets that are only shown may be this much older. */
const WORDS_STALE_MS = 5 * 60_000;
/** Which market a slug or token belongs to never changes. */
const NAMES_FRESH_MS = 10 * 60_000;
/** That there is no such market may change at any time. */
const LOOK_UP_FRESH_MS = 10_000;
const MAX_MARKETS = 5_000;
/** Ids in one request, which are repeated parameters (polymarket.md 7). */
const MAX_NAMED = 50;

const markets = new ExpiringCache<RemoteMarket>({
  max: MAX_MARKETS,
  freshMs: RULES_FRESH_MS,
  name: "markets",
});
const idsByName = new ExpiringCache<string>({
  max: 4 * MAX_MARKETS,
  freshMs: NAMES_FRESH_MS,
  name: "market-ids",
});
const lookUps = new ExpiringCache<RemoteMarket | null>({
  max: MAX_MARKETS,
  freshMs: LOOK_UP_FRESH_MS,
});

/** Markets without the exchange's rules, or null for what the venue does not know. */
const shown = new ExpiringCache<RemoteMarket | null>({
  max: MAX_MARKETS,
  freshMs: RULES_FRESH_MS,
  name: "shown-markets",
});

type Named = "condition_ids" | "slug" | "clob_token_ids";

/** Finds a market by condition id or slug, with the exchange's rules of now. */
export async function findRemoteMarket(idOrSlug: string): Promise<RemoteMarket | null> {
  if (CONDITION_ID.test(idOrSlug)) return findBy("condition_ids", idOrSlug);
  return SLUG.test(idOrSlug) ? findBy("slug", idOrSlug) : null;
}

/** Finds the market of a token, and which of its outcomes the token is. */
export async function findRemoteMarketByToken(
  tokenId: string,
): Promise<{ market: RemoteMarket; outcome: OutcomeIndex } | null> {
  if (!TOKEN_ID.test(tokenId)) return null;
  const market = await findBy("clob_token_ids", tokenId);
  if (!market) return null;
  return { market, outcome: market.outcomes[0].tokenId === tokenId ? 0 : 1 };
}

/** Markets by id, for showing them. Ids that the venue does not know are left out. */
export function getRemoteMarkets(ids: readonly string[]): Promise<Map<string, RemoteMarket>> {
  const listed = knownCatalogue();
  return gather(
    ids,
    (id) =>
      markets.find(id, WORDS_STALE_MS) ?? listed?.byId.get(id) ?? shown.find(id, WORDS_STALE_MS),
  );
}

/** As `getRemoteMarkets`, with what the venue said of their state within the last half minute. */
export function getCurrentMarkets(ids: readonly string[]): Promise<Map<string, RemoteMarket>> {
  return gather(ids, (id) => markets.find(id) ?? shown.find(id));
}

async function gather(
  ids: readonly string[],
  findKnown: (id: string) => RemoteMarket | null | undefined,
): Promise<Map<string, RemoteMarket>> {
  const found = new Map<string, RemoteMarket>();
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const known = findKnown(id);
    if (known) found.set(id, known);
    else if (known === undefined && CONDITION_ID.test(id)) missing.push(id);
  }
  for (let at = 0; at < missing.length; at += MAX_NAMED) {
    const wanted = missing.slice(at, at + MAX_NAMED);
    const told = await orLastKnown(
      () => loadShown(wanted),
      () => lastShown(wanted),
    );
    for (const market of told) found.set(market.id, market);
  }
  return found;
}

async function loadShown(ids: readonly string[]): Promise<RemoteMarket[]> {
  const told = await loadNamed("condition_ids", ids);
  for (const id of ids) shown.set(id, told.find((market) => market.id === id) ?? null);
  return told;
}

/** The markets as they were described last; those that never were are left out. */
function lastShown(ids: readonly string[]): { value: RemoteMarket[]; at: number | null } {
  const last = ids.flatMap((id) => lastOf(id) ?? []);
  const oldest = Math.min(...last.map(({ at }) => at));
  return { value: last.map(({ value }) => value), at: last.length < ids.length ? null : oldest };
}

/** A market as it was described last, however long ago. */
function lastOf(id: string): { value: RemoteMarket; at: number } | null {
  const listing = lastCatalogue();
  const listed = listing?.value.byId.get(id);
  const known = [markets.last(id), shown.last(id)].flatMap((last) =>
    last?.value ? [{ value: last.value, at: last.at }] : [],
  );
  if (listing && listed) known.push({ value: listed, at: listing.at });
  return known.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

function lastId(named: Named, name: string): string {
  const listing = lastCatalogue()?.value;
  const listed = named === "slug" ? listing?.bySlug.get(name) : listing?.byToken.get(name);
  return listed?.id ?? idsByName.last(name)?.value ?? name;
}

async function findBy(named: Named, name: string): Promise<RemoteMarket | null> {
  const id = named === "condition_ids" ? name : knownId(named, name);
  const fresh = id === undefined ? undefined : markets.find(id);
  if (fresh) return fresh;
  return orLastKnown<RemoteMarket | null>(
    () => lookUps.get(`${named}/${name}`, () => lookUp(named, name)),
    () => lastOf(id ?? lastId(named, name)),
  );
}

async function lookUp(named: Named, name: string): Promise<RemoteMarket | null> {
  const [found] = await loadNamed(named, [name]);
  const ruled = found ? await readRules(asListed(found)) : null;
  if (!ruled) return null;
  for (const each of [ruled.slug, ...ruled.outcomes.map(({ tokenId }) => tokenId)]) {
    idsByName.set(each, ruled.id);
  }
  markets.set(ruled.id, ruled);
  return ruled;
}

/** Only events carry tags for sure, so a market by itself may be of a better known category. */
function asListed(market: RemoteMarket): RemoteMarket {
  const listed = knownCatalogue()?.byId.get(market.id);
  return listed ? { ...market, category: listed.category, icon: listed.icon } : market;
}

function knownId(named: Named, name: string): string | undefined {
  const listed = knownCatalogue();
  const market = named === "slug" ? listed?.bySlug.get(name) : listed?.byToken.get(name);
  return market?.id ?? idsByName.find(name);
}

/** Markets are invisible once closed unless asked for, so what is missing is asked for again. */
async function loadNamed(named: Named, names: readonly string[]): Promise<RemoteMarket[]> {
  const open = await loadList(named, names, "false");
  const missing = names.filter((name) => !open.some((market) => belongs(market, named, name)));
  return missing.length === 0 ? open : [...open, ...(await loadList(named, missing, "true"))];
}

async function loadList(
  named: Named,
  names: readonly string[],
  closed: "true" | "false",
): Promise<RemoteMarket[]> {
  const query = { [named]: names, closed, limit: "100", include_tag: "true" };
  const found = await getJson("gamma", "/markets", query, WireMarkets);
  return found.flatMap((wire) => {
    const market = parseMarket(wire, null);
    return market && names.some((name) => belongs(market, named, name)) ? [market] : [];
  });
}

function belongs(market: RemoteMarket, named: Named, name: string): boolean {
  switch (named) {
    case "condition_ids":
      return market.id === name;
    case "slug":
      return market.slug === name;
    case "clob_token_ids":
      return market.outcomes.some(({ tokenId }) => tokenId === name);
  }
}

/** A market is listed minutes before the exchange knows it, and for ever after. */
async function readRules(market: RemoteMarket): Promise<RemoteMarket | null> {
  if (market.state.status === "resolved") return market;
  try {
    const clob = await getJson("clob", `/clob-markets/${market.id}`, {}, ClobMarket);
    return withClobRules(market, clob);
  } catch (error) {
    if (!(error instanceof UpstreamStatus) || error.upstreamStatus !== 404) throw error;
    return { ...market, state: { status: "closed", winner: null } };
  }
}
