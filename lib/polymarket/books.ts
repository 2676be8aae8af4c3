import "server-only";
import type { Book, BookSide, HouseLevel } from "@/lib/domain/matching";
import { bestPrice } from "@/lib/domain/matching";
import { type Quote, quote } from "@/lib/domain/mark-price";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { allowsStaleReads, staleIfError } from "@/lib/stale-reads";
import { ONE, price, shares } from "@/lib/units";
import { getJson, readJson, UpstreamStatus } from "@/lib/polymarket/http";
import { explainVersion, type RemoteMarket } from "@/lib/polymarket/markets";
import { getTokenProtocol } from "@/lib/polymarket/protocol/position-id";
import { WireBook, WireBooks } from "@/lib/polymarket/wire/books";

/** Concurrent readers share a book for one second. */
const BOOK_FRESH_MS = 1_000;
/** Books behind a list of quotes may be this much older. */
const QUOTE_STALE_MS = 4_000;
const MAX_BOOKS = 2_000;
/** Books in one request (polymarket.md 2.6). */
const MAX_TOKENS = 500;

/** A market's book at one time, in prices of its first token. */
export interface BookSnapshot {
  book: Book;
  /** Price of the venue's last trade; null before the first. */
  last: bigint | null;
  /** When the request was sent, so the book is no older than this. */
  readAt: number;
  /** When the book last changed; null if the venue does not report it. */
  changedAt: number | null;
}

const cache = new ExpiringCache<BookSnapshot>({
  max: MAX_BOOKS,
  freshMs: BOOK_FRESH_MS,
  name: "books",
});
const NO_BOOK: Book = { orders: [], house: [] };

/**
 * Reads a market's book in prices of its first token. The second token's book is the mirror image, so
 * it is never requested.
 */
export async function readRemoteBook(market: RemoteMarket): Promise<Book> {
  if (market.state.status === "resolved" || market.untradable !== null) return NO_BOOK;
  const tokenId = market.outcomes[0].tokenId;
  return (await cache.get(tokenId, () => loadBook(tokenId))).book;
}

/** Loads the current book, bypassing the cache, to estimate an order. */
export async function loadFreshBook(market: RemoteMarket): Promise<Book> {
  const tokenId = market.outcomes[0].tokenId;
  const loaded = await loadBook(tokenId);
  cache.set(tokenId, loaded);
  return loaded.book;
}

/**
 * Loads the books of open markets that are older than `maxAgeMs`, so that `findSnapshot` finds them.
 * One request covers up to 500 markets.
 */
export async function refreshSnapshots(
  markets: readonly RemoteMarket[],
  maxAgeMs: number,
): Promise<void> {
  const trading = markets.filter(({ state }) => state.status === "open");
  const tokenIds = trading.map(({ outcomes }) => outcomes[0].tokenId);
  const [only, ...others] = tokenIds;
  if (only === undefined) return;
  // A page can be shown without a book that was never read.
  if (others.length > 0 || allowsStaleReads()) await readBooks(tokenIds, maxAgeMs - BOOK_FRESH_MS);
  else if (!findBook(only, maxAgeMs)) await cache.get(only, () => loadBook(only));
}

/** Returns the cached book of a market, if it is no older than `maxAgeMs`. */
export function findSnapshot(market: RemoteMarket, maxAgeMs: number): BookSnapshot | null {
  return findBook(market.outcomes[0].tokenId, maxAgeMs);
}

/** The age counts from when the request was sent, so that a slow response is not too fresh. */
function findBook(tokenId: string, maxAgeMs: number): BookSnapshot | null {
  const found = cache.find(tokenId, maxAgeMs - BOOK_FRESH_MS);
  return found && now() - found.readAt <= maxAgeMs ? found : null;
}

/** Quotes of many markets, by market id. */
export async function readRemoteQuotes(
  markets: readonly RemoteMarket[],
): Promise<Map<string, Quote>> {
  const trading = markets.filter(({ state }) => state.status === "open");
  const books = await readBooks(
    trading.map(({ outcomes }) => outcomes[0].tokenId),
    QUOTE_STALE_MS,
  );
  return new Map(
    markets.map((market) => [market.id, toQuote(market, books.get(market.outcomes[0].tokenId))]),
  );
}

function toQuote(market: RemoteMarket, found: BookSnapshot | undefined): Quote {
  if (!found) return { bid: null, ask: null, mark: market.listedPrice };
  const best = { bid: bestPrice(found.book, "bid"), ask: bestPrice(found.book, "ask") };
  const last = found.last === null ? market.lastTrade : price(found.last);
  return quote(best, last, market.listedPrice);
}

/** Reads books. On pages, falls back to the last known books during an outage. */
function readBooks(
  tokenIds: readonly string[],
  staleMs: number,
): Promise<Map<string, BookSnapshot>> {
  return staleIfError(
    () => loadMissingBooks(tokenIds, staleMs),
    () => findLastBooks(tokenIds),
  );
}

function findLastBooks(tokenIds: readonly string[]): {
  value: Map<string, BookSnapshot>;
  at: number | null;
} {
  const value = new Map<string, BookSnapshot>();
  for (const tokenId of tokenIds) {
    const last = cache.last(tokenId);
    if (last) value.set(tokenId, last.value);
  }
  const isWhole = tokenIds.every((tokenId) => value.has(tokenId));
  const oldest = Math.min(...[...value.values()].map(({ readAt }) => readAt));
  return { value, at: isWhole ? oldest : null };
}

async function loadMissingBooks(
  tokenIds: readonly string[],
  staleMs: number,
): Promise<Map<string, BookSnapshot>> {
  const found = new Map<string, BookSnapshot>();
  const missing: string[] = [];
  for (const tokenId of new Set(tokenIds)) {
    const known = cache.find(tokenId, staleMs);
    if (known) found.set(tokenId, known);
    else missing.push(tokenId);
  }
  const requests: Promise<Map<string, BookSnapshot>>[] = [];
  for (let at = 0; at < missing.length; at += MAX_TOKENS) {
    requests.push(loadBooks(missing.slice(at, at + MAX_TOKENS)));
  }
  for (const loaded of await Promise.all(requests)) {
    for (const [tokenId, entry] of loaded) found.set(tokenId, entry);
  }
  return found;
}

async function loadBooks(tokenIds: readonly string[]): Promise<Map<string, BookSnapshot>> {
  const readAt = now();
  const body = JSON.stringify(tokenIds.map((tokenId) => ({ token_id: tokenId })));
  const wire = await readJson({ service: "clob", method: "POST", path: "/books", body }, WireBooks);
  const byToken = new Map(wire.map((book) => [book.asset_id, book]));
  const loaded = new Map<string, BookSnapshot>();
  for (const tokenId of tokenIds) {
    const book = byToken.get(tokenId);
    // Skip an invalid book, so that the others are still returned.
    if (book && (isTorn(book) || isOfOtherProtocol(book))) continue;
    const entry = book ? toSnapshot(book, readAt) : createEmptySnapshot(readAt);
    cache.set(tokenId, entry);
    loaded.set(tokenId, entry);
  }
  return loaded;
}

async function loadBook(tokenId: string): Promise<BookSnapshot> {
  const readAt = now();
  try {
    const wire = await getJson("clob", "/book", { token_id: tokenId }, WireBook);
    if (wire.asset_id === tokenId) return toSnapshot(wire, readAt);
    throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue returned another token's book.");
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) {
      return createEmptySnapshot(readAt);
    }
    throw error;
  }
}

function toSnapshot(wire: WireBook, readAt: number): BookSnapshot {
  if (isTorn(wire)) throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's book is crossed.");
  if (isOfOtherProtocol(wire)) {
    const message = "The venue's book has another protocol version than its market.";
    throw new AppError("UPSTREAM_BAD_RESPONSE", message);
  }
  const book = toBook(wire);
  return { book, last: findLastTrade(wire, book), readAt, changedAt: wire.timestamp ?? null };
}

/**
 * Returns the last trade in the price of the first token. The venue reports the price of the token
 * that was traded, in the books of both tokens. The price nearer to the quotes is taken.
 */
function findLastTrade({ last_trade_price: last }: WireBook, book: Book): bigint | null {
  if (!last) return null;
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  if (bid === null || ask === null) return last;
  const distance = (at: bigint) =>
    at > bid + ask - at ? 2n * at - bid - ask : bid + ask - 2n * at;
  return distance(last) <= distance(ONE - last) ? last : ONE - last;
}

/** Whether the book names another protocol than that of its token. Older responses name none. */
const isOfOtherProtocol = ({ version, asset_id: tokenId }: WireBook) =>
  explainVersion(version, getTokenProtocol(tokenId)) !== null;

/** Whether the book is crossed: the venue read it during a change, so it must not be used. */
function isTorn(wire: WireBook): boolean {
  const book = toBook(wire);
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  return bid !== null && ask !== null && bid >= ask;
}

const toBook = (wire: WireBook): Book => ({
  orders: [],
  house: [...toLevels(wire, "bid"), ...toLevels(wire, "ask")],
});

/** The snapshot of a market for which the exchange has no book. */
const createEmptySnapshot = (readAt: number): BookSnapshot => ({
  book: NO_BOOK,
  last: null,
  readAt,
  changedAt: null,
});

function toLevels(wire: WireBook, side: BookSide): HouseLevel[] {
  const found = side === "bid" ? wire.bids : wire.asks;
  return found
    .filter((level) => level.size > 0n && level.price > 0n && level.price < ONE)
    .map((level) => ({ side, price: price(level.price), size: shares(level.size) }));
}
