import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { ExpiringCache } from "@/lib/expiring-cache";
import { staleIfError } from "@/lib/stale-reads";
import { findCatalogue, findLastCatalogue } from "@/lib/polymarket/catalogue";
import { isPositionConditionId, isPositionId } from "@/lib/polymarket/protocol/position-id";
import { getJson, UpstreamStatus } from "@/lib/polymarket/http";
import {
  parseMarket,
  type RemoteMarket,
  listTokens,
  applyClobRules,
} from "@/lib/polymarket/markets";
import { ClobMarket, WireMarkets } from "@/lib/polymarket/wire/markets";

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
const TOKEN_ID = /^\d{1,78}$/;
const SLUG = /^[A-Za-z0-9_-]{1,300}$/;

/** Maximum age of trading rules: ticks change while a market is open. */
const RULES_FRESH_MS = 30_000;
/** Words, outcomes and ends of markets that are only displayed may be this much older. */
const DISPLAY_STALE_MS = 5 * 60_000;
/** The market of a slug or token never changes. */
const NAMES_FRESH_MS = 10 * 60_000;
/** Short, because an unknown market may be listed at any time. */
const QUERY_FRESH_MS = 10_000;
const MAX_MARKETS = 5_000;
/** Maximum number of ids per request, sent as repeated parameters (polymarket.md 7). */
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
const queries = new ExpiringCache<RemoteMarket | null>({
  max: MAX_MARKETS,
  freshMs: QUERY_FRESH_MS,
});

/** Markets without the exchange's rules; null if the venue does not know the market. */
const described = new ExpiringCache<RemoteMarket | null>({
  max: MAX_MARKETS,
  freshMs: RULES_FRESH_MS,
  name: "shown-markets",
});

type Named = "condition_ids" | "slug" | "clob_token_ids" | "position_ids";

/** Finds a market by condition id or slug, with the exchange's current rules. */
export async function findRemoteMarket(idOrSlug: string): Promise<RemoteMarket | null> {
  if (CONDITION_ID.test(idOrSlug)) return findBy("condition_ids", idOrSlug);
  return SLUG.test(idOrSlug) ? findBy("slug", idOrSlug) : null;
}

/** Finds the market and the outcome of a token. */
export async function findRemoteMarketByToken(
  tokenId: string,
): Promise<{ market: RemoteMarket; outcome: OutcomeIndex } | null> {
  if (!TOKEN_ID.test(tokenId)) return null;
  const market = await findByToken(tokenId);
  if (!market) return null;
  return { market, outcome: market.outcomes[0].tokenId === tokenId ? 0 : 1 };
}

/** Finds the market of a token. Which parameter finds positions of Protocol V2 is not documented. */
async function findByToken(tokenId: string): Promise<RemoteMarket | null> {
  if (!isPositionId(tokenId)) return findBy("clob_token_ids", tokenId);
  return (await findByPosition(tokenId)) ?? (await findBy("clob_token_ids", tokenId));
}

async function findByPosition(tokenId: string): Promise<RemoteMarket | null> {
  try {
    return await findBy("position_ids", tokenId);
  } catch (error) {
    // Not every compatible service supports the parameter.
    if (error instanceof UpstreamStatus && error.code === "UPSTREAM_ERROR") return null;
    throw error;
  }
}

/** Returns markets by id for display. Unknown ids are left out. */
export function getRemoteMarkets(ids: readonly string[]): Promise<Map<string, RemoteMarket>> {
  const listed = findCatalogue();
  return collect(
    ids,
    (id) =>
      markets.find(id, DISPLAY_STALE_MS) ??
      listed?.byId.get(id) ??
      described.find(id, DISPLAY_STALE_MS),
  );
}

/** Like `getRemoteMarkets`, but no state is older than 30 seconds. */
export function getCurrentMarkets(ids: readonly string[]): Promise<Map<string, RemoteMarket>> {
  return collect(ids, (id) => markets.find(id) ?? described.find(id));
}

async function collect(
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
    const loaded = await staleIfError(
      () => loadDescribed(wanted),
      () => findLastMarkets(wanted),
    );
    for (const market of loaded) found.set(market.id, market);
  }
  return found;
}

async function loadDescribed(ids: readonly string[]): Promise<RemoteMarket[]> {
  const loaded = await loadNamed("condition_ids", ids);
  for (const id of ids) described.set(id, loaded.find((market) => market.id === id) ?? null);
  return loaded;
}

/** Returns the last known markets; unknown ones are left out. */
function findLastMarkets(ids: readonly string[]): { value: RemoteMarket[]; at: number | null } {
  const last = ids.flatMap((id) => findLast(id) ?? []);
  const oldest = Math.min(...last.map(({ at }) => at));
  return { value: last.map(({ value }) => value), at: last.length < ids.length ? null : oldest };
}

/** Returns the last known version of a market, of any age. */
function findLast(id: string): { value: RemoteMarket; at: number } | null {
  const listing = findLastCatalogue();
  const listed = listing?.value.byId.get(id);
  const known = [markets.last(id), described.last(id)].flatMap((last) =>
    last?.value ? [{ value: last.value, at: last.at }] : [],
  );
  if (listing && listed) known.push({ value: listed, at: listing.at });
  return known.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

function findLastId(named: Named, name: string): string {
  const listing = findLastCatalogue()?.value;
  const listed = named === "slug" ? listing?.bySlug.get(name) : listing?.byToken.get(name);
  return listed?.id ?? idsByName.last(name)?.value ?? name;
}

async function findBy(named: Named, name: string): Promise<RemoteMarket | null> {
  const id = named === "condition_ids" ? name : findCachedId(named, name);
  const fresh = id === undefined ? undefined : markets.find(id);
  if (fresh) return fresh;
  const known = findLast(id ?? findLastId(named, name));
  return staleIfError<RemoteMarket | null>(
    () => queries.get(`${named}/${name}`, () => queryMarket(named, name, known?.value ?? null)),
    () => known,
  );
}

/**
 * Queries a market and its rules. If the market is known and was not resolved when it was last read, both are
 * requested at the same time.
 */
async function queryMarket(
  named: Named,
  name: string,
  known: RemoteMarket | null,
): Promise<RemoteMarket | null> {
  const early = known && needsRules(known) ? startReadingRules(known.id) : null;
  const candidates = await loadNamed(named, [name]);
  // Markets of two protocols may name the same token: prefer the tradable one.
  const found = candidates.find(({ untradable }) => untradable === null) ?? candidates[0];
  const ruled = found ? await addRules(addListedCategory(found), early) : null;
  if (!ruled) return null;
  for (const each of [ruled.slug, ...listTokens(ruled)]) {
    idsByName.set(each, ruled.id);
  }
  markets.set(ruled.id, ruled);
  return ruled;
}

/** Takes the category from the catalogue: only events always have tags, single markets may not. */
function addListedCategory(market: RemoteMarket): RemoteMarket {
  const listed = findCatalogue()?.byId.get(market.id);
  return listed ? { ...market, category: listed.category, icon: listed.icon } : market;
}

function findCachedId(named: Named, name: string): string | undefined {
  const listed = findCatalogue();
  const market = named === "slug" ? listed?.bySlug.get(name) : listed?.byToken.get(name);
  return market?.id ?? idsByName.find(name);
}

/** Loads open markets first, then the missing ones as closed: a query returns only one kind. */
async function loadNamed(named: Named, names: readonly string[]): Promise<RemoteMarket[]> {
  const open = await loadList(named, names, "false");
  const isFound = (name: string) => (market: RemoteMarket) =>
    market.untradable === null && belongs(market, named, name);
  const missing = names.filter((name) => !open.some(isFound(name)));
  return missing.length === 0 ? open : [...open, ...(await loadList(named, missing, "true"))];
}

async function loadList(
  named: Named,
  names: readonly string[],
  closed: "true" | "false",
): Promise<RemoteMarket[]> {
  const query = {
    [named]: names.flatMap((name) => listSpellings(named, name)),
    closed,
    limit: "100",
    include_tag: "true",
  };
  const found = await getJson("gamma", "/markets", query, WireMarkets);
  return found.flatMap((wire) => {
    const market = parseMarket(wire, null);
    return market && names.some((name) => belongs(market, named, name)) ? [market] : [];
  });
}

/** Protocol V2 lists condition ids with or without their last byte, which is zero. */
function listSpellings(named: Named, name: string): string[] {
  const isShortened = named === "condition_ids" && isPositionConditionId(name);
  return isShortened ? [name, name.slice(0, -2)] : [name];
}

function belongs(market: RemoteMarket, named: Named, name: string): boolean {
  switch (named) {
    case "condition_ids":
      return market.id === name;
    case "slug":
      return market.slug === name;
    case "clob_token_ids":
    case "position_ids":
      return listTokens(market).includes(name);
  }
}

/** Rules of a market; null if the exchange does not have it. The lists have a market minutes before. */
interface Rules {
  id: string;
  read: Promise<ClobMarket | null>;
}

function startReadingRules(id: string): Rules {
  const read = readRules(id);
  // They are not needed if the list has no such market.
  read.catch(() => undefined);
  return { id, read };
}

async function readRules(id: string): Promise<ClobMarket | null> {
  try {
    return await getJson("clob", `/clob-markets/${id}`, {}, ClobMarket);
  } catch (error) {
    if (!(error instanceof UpstreamStatus) || error.upstreamStatus !== 404) throw error;
    return null;
  }
}

const needsRules = ({ state, untradable }: RemoteMarket) =>
  state.status !== "resolved" && untradable === null;

/** Adds the exchange's rules to a market. `early` rules are used if they are those of the market. */
async function addRules(market: RemoteMarket, early: Rules | null): Promise<RemoteMarket | null> {
  if (!needsRules(market)) return market;
  const rules = await (early?.id === market.id ? early.read : readRules(market.id));
  return rules
    ? applyClobRules(market, rules)
    : { ...market, state: { status: "closed", winner: null } };
}
