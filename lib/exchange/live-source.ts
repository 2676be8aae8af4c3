import "server-only";
import { inArray } from "drizzle-orm";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { MarketRow } from "@/lib/db/rows";
import { markets } from "@/lib/db/schema/trading";
import { type HouseLevel } from "@/lib/domain/matching";
import { AppError } from "@/lib/errors";
import { rebuildMarket } from "@/lib/exchange/listed-markets";
import type {
  ExchangeMarket,
  Ladder,
  MarketData,
  MarketListing,
} from "@/lib/exchange/market-source";
import { isTemplateMarket } from "@/lib/exchange/simulated-source";
import { log } from "@/lib/log";
import { type BookSnapshot, findSnapshot, refreshSnapshots } from "@/lib/polymarket/books";
import { readCatalogue } from "@/lib/polymarket/catalogue";
import {
  findRemoteMarket,
  findRemoteMarketByToken,
  getCurrentMarkets,
} from "@/lib/polymarket/find-market";
import { findListedPrices, readRemoteHistory } from "@/lib/polymarket/price-history";
import type { RemoteMarket } from "@/lib/polymarket/markets";
import { findUnlisted } from "@/lib/polymarket/search";
import { allowsStaleReads } from "@/lib/stale-reads";
import { ONE, type Price, price, shares, usdc } from "@/lib/units";
import { roundToLots } from "@/lib/domain/lots";
import { NO_FIGURES } from "@/lib/venue/port";

/** Orders don't trade against a book that is older than this. */
const MAX_BOOK_AGE_MS = 5_000;
/** A level that users took from is replenished after this time, once the venue's book has changed. */
const REPLENISH_MS = 60_000;
/** With coarser prices and whole lots, every notional is a whole micro-USDC. */
const FINEST_TICK = price(100n);
/** After a failure, markets are described from the database for this long. */
const RETRY_AFTER_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Steps of the last day and of older history. All instants share one or two requests. */
const FINE_STEP_MS = 5 * MINUTE_MS;
const COARSE_STEP_MS = HOUR_MS;

let unreachableUntil = 0;

/** The live venue's markets, from its public hosts. */
export const liveListing: MarketListing = {
  list: async () => (await readCatalogue()).markets.filter(hasWholeTick),
  findUnlisted: async (by, text) => (await findUnlisted(by, text)).filter(hasWholeTick),
  find: async (idOrSlug) => closeIfUnsupported(await findRemoteMarket(idOrSlug)),
  findByToken: async (tokenId) =>
    closeIfUnsupported((await findRemoteMarketByToken(tokenId))?.market),
  findKnown: async (ids) => {
    // Pages may show the last known values.
    if (now() < unreachableUntil && !allowsStaleReads()) return new Map();
    try {
      return await getCurrentMarkets(ids);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      unreachableUntil = now() + RETRY_AFTER_MS;
      log.warn("venue unavailable, markets read from the database", { code: error.code });
      return new Map();
    }
  },
  getPastPrices: async (list, at) => getLivePrices(list.filter(isRemoteMarket), at),
  refresh: async (list, maxAgeMs) => {
    // A recorded market has no prices. One that the venue does not know keeps its last trade's price.
    const isUnreachable = now() < unreachableUntil && !allowsStaleReads();
    if (isUnreachable && list.some(isRecorded)) throw createUnreachable();
    await refreshSnapshots(list.filter(isRemoteMarket), maxAgeMs);
  },
};

/** Returns a live market's data. Its quotes are the last fetched book. */
export function createLiveData(market: RemoteMarket): MarketData {
  const getMaxAge = () => (allowsStaleReads() ? Number.POSITIVE_INFINITY : MAX_BOOK_AGE_MS);
  const getSnapshot = () =>
    market.state.status === "open" ? findSnapshot(market, getMaxAge()) : null;
  return {
    getState: () => market.state,
    hasEnded: () => market.isEnded,
    getFirstPayout: () => market.firstPayout,
    getLadder: () => {
      const snapshot = getSnapshot();
      return snapshot && toLadder(snapshot);
    },
    getTakenEpoch: (at) => at,
    getLastTrade: () => {
      const last = getSnapshot()?.last;
      return last ? price(last) : market.lastTrade;
    },
    getFallbackPrice: () => market.listedPrice,
    getHistory: (range) => readRemoteHistory(market, range),
  };
}

const createUnreachable = () =>
  new AppError("UPSTREAM_UNAVAILABLE", "The venue's prices are unavailable. Try again.");

const isRemoteMarket = (market: ExchangeMarket): market is RemoteMarket =>
  !isTemplateMarket(market);

const hasWholeTick = ({ tick }: RemoteMarket) => tick % FINEST_TICK === 0n;

/** A market with an unsupported tick size, or an unknown fee rate, takes no orders here. */
function closeIfUnsupported(market: RemoteMarket | null | undefined): RemoteMarket | null {
  if (!market) return null;
  if (hasWholeTick(market) && !market.needsFeeRate) return market;
  const isOpen = market.state.status === "open";
  return isOpen ? { ...market, state: { status: "closed", winner: null } } : market;
}

/**
 * Converts the displayed book to whole lots. What users took stays subtracted until the venue's book
 * changes, and for at least a minute.
 */
function toLadder({ book, readAt, changedAt }: BookSnapshot): Ladder {
  const replenishedBefore = readAt - REPLENISH_MS;
  const from = 1 + Math.min(replenishedBefore, changedAt ?? replenishedBefore);
  return {
    levels: book.house.flatMap(toWholeLots),
    epochs: { from, to: Number.MAX_SAFE_INTEGER },
  };
}

function toWholeLots(level: HouseLevel): HouseLevel[] {
  const size = roundToLots(level.size);
  return size > 0n && isWhole(level.price) ? [{ ...level, size }] : [];
}

const isWhole = (at: Price) => at % FINEST_TICK === 0n;

/**
 * Returns the venue's prices of first tokens at an instant, by market id. Its lists have the current
 * price and that of a day ago. For other instants, it takes a request per market, so only markets
 * that were traded here are included.
 */
async function getLivePrices(
  list: readonly RemoteMarket[],
  at: number,
): Promise<Map<string, Price>> {
  const prices = findListedPrices(list, at);
  const traded = await selectTraded(list.filter(({ id }) => !prices.has(id)));
  const found = await Promise.all(
    traded.map(async (market) => ({ id: market.id, price: await fetchPriceAt(market, at) })),
  );
  for (const { id, price: past } of found) if (past !== null) prices.set(id, past);
  return prices;
}

async function selectTraded(list: readonly RemoteMarket[]): Promise<RemoteMarket[]> {
  if (list.length === 0) return [];
  const db = await getDb();
  const ids = list.map(({ id }) => id);
  const rows = await db.select({ id: markets.id }).from(markets).where(inArray(markets.id, ids));
  const traded = new Set(rows.map(({ id }) => id));
  return list.filter(({ id }) => traded.has(id));
}

/** Returns the last price before an instant; null before the first one. */
async function fetchPriceAt(market: RemoteMarket, at: number): Promise<Price | null> {
  const isRecent = at > now() - DAY_MS;
  const stepMs = isRecent ? FINE_STEP_MS : COARSE_STEP_MS;
  const to = Math.floor(now() / stepMs) * stepMs;
  const from = isRecent ? to - DAY_MS - HOUR_MS : market.opensAt;
  const points = await readRemoteHistory(market, { from, to, stepMs });
  return points.findLast((point) => point.at <= at)?.price ?? null;
}

interface RecordedMarket extends RemoteMarket {
  readonly isFromRecord: true;
}

/** Whether a market's data comes from the database instead of the venue. */
function isRecorded(market: ExchangeMarket): boolean {
  return "isFromRecord" in market;
}

/** Converts the database row of a traded market to a market. */
export function toRecordedMarket(row: MarketRow): ExchangeMarket {
  return row.templateId === null ? toRecordedRemoteMarket(row) : rebuildMarket(row);
}

/**
 * Describes a live market by its database row, which was written at its first trade. It takes no
 * orders. Its open orders stay open, because the venue may still trade the market.
 */
function toRecordedRemoteMarket(row: MarketRow): RecordedMarket {
  const { id, slug, title, icon, tick, feeRate, isNegRisk, protocol, lastPrice } = row;
  return {
    id,
    slug,
    title,
    eventSlug: slug,
    eventTitle: title,
    series: null,
    label: null,
    category: icon.replace(/^category-|\.svg$/g, ""),
    rules: "",
    resolutionSource: "",
    icon,
    outcomes: [
      { name: row.firstOutcome, tokenId: row.firstToken },
      { name: row.secondOutcome, tokenId: row.secondToken },
    ],
    untradable: null,
    tick,
    minOrderShares: shares(5_000_000n),
    minBuyAmount: usdc(1_000_000n),
    feeRate,
    isNegRisk,
    protocol,
    popularity: 0,
    figures: NO_FIGURES,
    opensAt: row.opensAt.getTime(),
    closesAt: row.closesAt.getTime(),
    resolvesAt: row.resolvesAt.getTime(),
    state: { status: "closed", winner: null },
    isEnded: false,
    firstPayout: null,
    listedPrice: lastPrice ?? price(ONE / 2n),
    lastTrade: lastPrice,
    dayChange: null,
    needsFeeRate: false,
    otherTokenIds: [],
    isFromRecord: true,
  };
}
