import "server-only";
import { now } from "@/lib/clock";
import { type HouseLevel, LOT } from "@/lib/domain/matching";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { isShowing } from "@/lib/showing";
import { type Price, price, shares } from "@/lib/units";
import { polymarketPricesAt } from "@/lib/venue/paper/source/past-prices";
import type { ExchangeMarket, Ladder, Listing, Origin } from "@/lib/venue/paper/source/port";
import { isRecorded } from "@/lib/venue/paper/source/recorded";
import { isTemplateMarket } from "@/lib/venue/paper/source/templates";
import { type BookSnapshot, findSnapshot, refreshSnapshots } from "@/lib/venue/polymarket/books";
import { readCatalogue } from "@/lib/venue/polymarket/catalogue";
import {
  findRemoteMarket,
  findRemoteMarketByToken,
  getCurrentMarkets,
} from "@/lib/venue/polymarket/find";
import { readRemoteHistory } from "@/lib/venue/polymarket/history";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";
import { findUnlisted } from "@/lib/venue/polymarket/search";

/** Nothing trades against a book that was seen longer ago than this. */
const MAX_BOOK_AGE_MS = 5_000;
/** What was taken from a level counts as quoted anew after this, once the book has changed. */
const REPLENISH_MS = 60_000;
/** With coarser prices and whole lots every notional is a whole micro-USDC. */
const FINEST_TICK = price(100n);
/** After a failure nobody waits for the venue again so soon just to describe markets. */
const RETRY_AFTER_MS = 5_000;

let unreachableUntil = 0;

/** Polymarket's own markets, as its public hosts tell of them. */
export const polymarketListing: Listing = {
  list: async () => (await readCatalogue()).markets.filter(hasWholeTick),
  findUnlisted: async (by, text) => (await findUnlisted(by, text)).filter(hasWholeTick),
  find: async (idOrSlug) => tradable(await findRemoteMarket(idOrSlug)),
  findByToken: async (tokenId) => tradable((await findRemoteMarketByToken(tokenId))?.market),
  findKnown: async (ids) => {
    // What is only shown may be told by what was known last.
    if (now() < unreachableUntil && !isShowing()) return new Map();
    try {
      return await getCurrentMarkets(ids);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      unreachableUntil = now() + RETRY_AFTER_MS;
      log.warn("markets are known from the record only: the venue does not answer", {
        code: error.code,
      });
      return new Map();
    }
  },
  getPastPrices: async (markets, at) => polymarketPricesAt(markets.filter(isRemoteMarket), at),
  refresh: async (markets, maxAgeMs) => {
    // What is on record has no price; one that the venue has never heard of keeps its last trade's.
    const isSilent = now() < unreachableUntil && !isShowing();
    if (isSilent && markets.some(isRecorded)) throw unreachable();
    await refreshSnapshots(markets.filter(isRemoteMarket), maxAgeMs);
  },
};

/** What Polymarket tells about a market of its own. Its quotes are the last book that was seen. */
export function polymarketOrigin(market: RemoteMarket): Origin {
  const maxAgeMs = () => (isShowing() ? Number.POSITIVE_INFINITY : MAX_BOOK_AGE_MS);
  const snapshotAt = () =>
    market.state.status === "open" ? findSnapshot(market, maxAgeMs()) : null;
  return {
    getState: () => market.state,
    hasEnded: () => market.isEnded,
    getFirstPayout: () => market.firstPayout,
    getLadder: () => {
      const snapshot = snapshotAt();
      return snapshot && toLadder(snapshot);
    },
    takingEpoch: (at) => at,
    getLastTrade: () => {
      const last = snapshotAt()?.last;
      return last ? price(last) : market.lastTrade;
    },
    getFallbackPrice: () => market.listedPrice,
    getHistory: (range) => readRemoteHistory(market, range),
  };
}

const unreachable = () =>
  new AppError("UPSTREAM_UNAVAILABLE", "the venue does not tell its prices; try again");

const isRemoteMarket = (market: ExchangeMarket): market is RemoteMarket =>
  !isTemplateMarket(market);

const hasWholeTick = ({ tick }: RemoteMarket) => tick % FINEST_TICK === 0n;

/** A market whose ticks or fees the exchange cannot do, or does not know, takes no orders here. */
function tradable(market: RemoteMarket | null | undefined): RemoteMarket | null {
  if (!market) return null;
  if (hasWholeTick(market) && !market.needsFeeRate) return market;
  const isOpen = market.state.status === "open";
  return isOpen ? { ...market, state: { status: "closed", winner: null } } : market;
}

/**
 * The displayed book in whole lots. What was taken from it stays missing as long as the very same
 * book stands, however often it is looked at, and for a minute whatever it does.
 */
function toLadder({ book, readAt, changedAt }: BookSnapshot): Ladder {
  const forgotten = readAt - REPLENISH_MS;
  const from = 1 + Math.min(forgotten, changedAt ?? forgotten);
  return {
    levels: book.house.flatMap(inLots),
    epochs: { from, to: Number.MAX_SAFE_INTEGER },
  };
}

function inLots(level: HouseLevel): HouseLevel[] {
  const size = shares(level.size - (level.size % LOT));
  return size > 0n && isWhole(level.price) ? [{ ...level, size }] : [];
}

const isWhole = (at: Price) => at % FINEST_TICK === 0n;
