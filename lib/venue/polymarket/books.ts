import "server-only";
import type { Book, BookSide, HouseLevel } from "@/lib/domain/matching";
import { bestPrice } from "@/lib/domain/matching";
import { type Quote, quote } from "@/lib/domain/mark-price";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { isShowing, orLastKnown } from "@/lib/showing";
import { ONE, price, shares } from "@/lib/units";
import { getJson, readJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";
import { WireBook, WireBooks } from "@/lib/venue/polymarket/wire/books";

/** Everybody who looks at a book within a second sees the same one. */
const BOOK_FRESH_MS = 1_000;
/** Lists of quotes may be this much older. */
const QUOTE_STALE_MS = 4_000;
const MAX_BOOKS = 2_000;
/** Books in one request (polymarket.md 2.6). */
const MAX_TOKENS = 500;

/** A market's book as it was seen once, in prices of its first token. */
export interface BookSnapshot {
  book: Book;
  /** The venue's last trade; null before the first. */
  last: bigint | null;
  /** When it was asked for, so that the book is no older than this. */
  readAt: number;
  /** When the book last changed; null where the venue does not say. */
  changedAt: number | null;
}

const kept = new ExpiringCache<BookSnapshot>({
  max: MAX_BOOKS,
  freshMs: BOOK_FRESH_MS,
  name: "books",
});
const NO_BOOK: Book = { orders: [], house: [] };

/**
 * A market's book in prices of its first token. The book of the second is the same one seen from
 * the other side, so that it is never asked for.
 */
export async function readRemoteBook(market: RemoteMarket): Promise<Book> {
  if (market.state.status === "resolved") return NO_BOOK;
  const tokenId = market.outcomes[0].tokenId;
  return (await kept.get(tokenId, () => loadBook(tokenId))).book;
}

/** The book as it is now: what an order will be measured by. */
export async function loadFreshBook(market: RemoteMarket): Promise<Book> {
  const tokenId = market.outcomes[0].tokenId;
  const loaded = await loadBook(tokenId);
  kept.set(tokenId, loaded);
  return loaded.book;
}

/**
 * Sees to it that `findSnapshot` knows the books of open markets, none older than so many
 * milliseconds, with one request for up to 500 of them.
 */
export async function refreshSnapshots(
  markets: readonly RemoteMarket[],
  maxAgeMs: number,
): Promise<void> {
  const trading = markets.filter(({ state }) => state.status === "open");
  const tokenIds = trading.map(({ outcomes }) => outcomes[0].tokenId);
  const [only, ...others] = tokenIds;
  if (only === undefined) return;
  // What is only shown may do without a book that was never seen.
  if (others.length > 0 || isShowing()) await readBooks(tokenIds, maxAgeMs - BOOK_FRESH_MS);
  else if (!findBook(only, maxAgeMs)) await kept.get(only, () => loadBook(only));
}

/** The book of a market as it was seen last, if that is no longer ago than said. */
export function findSnapshot(market: RemoteMarket, maxAgeMs: number): BookSnapshot | null {
  return findBook(market.outcomes[0].tokenId, maxAgeMs);
}

/** Its age counts from the question: an answer that took long is as old as that. */
function findBook(tokenId: string, maxAgeMs: number): BookSnapshot | null {
  const found = kept.find(tokenId, maxAgeMs - BOOK_FRESH_MS);
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
    markets.map((market) => [market.id, quoteOf(market, books.get(market.outcomes[0].tokenId))]),
  );
}

function quoteOf(market: RemoteMarket, found: BookSnapshot | undefined): Quote {
  if (!found) return { bid: null, ask: null, mark: market.listedPrice };
  const best = { bid: bestPrice(found.book, "bid"), ask: bestPrice(found.book, "ask") };
  const last = found.last === null ? market.lastTrade : price(found.last);
  return quote(best, last, market.listedPrice);
}

/** For showing them, the books as they were seen last, where the venue tells none. */
function readBooks(
  tokenIds: readonly string[],
  staleMs: number,
): Promise<Map<string, BookSnapshot>> {
  return orLastKnown(
    () => readNewBooks(tokenIds, staleMs),
    () => lastSeen(tokenIds),
  );
}

function lastSeen(tokenIds: readonly string[]): {
  value: Map<string, BookSnapshot>;
  at: number | null;
} {
  const value = new Map<string, BookSnapshot>();
  for (const tokenId of tokenIds) {
    const last = kept.last(tokenId);
    if (last) value.set(tokenId, last.value);
  }
  const isWhole = tokenIds.every((tokenId) => value.has(tokenId));
  const oldest = Math.min(...[...value.values()].map(({ readAt }) => readAt));
  return { value, at: isWhole ? oldest : null };
}

async function readNewBooks(
  tokenIds: readonly string[],
  staleMs: number,
): Promise<Map<string, BookSnapshot>> {
  const found = new Map<string, BookSnapshot>();
  const missing: string[] = [];
  for (const tokenId of new Set(tokenIds)) {
    const known = kept.find(tokenId, staleMs);
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
    // One torn book must not keep all the others from being shown.
    if (book && isTorn(book)) continue;
    const entry = book ? toSnapshot(book, readAt) : emptyAt(readAt);
    kept.set(tokenId, entry);
    loaded.set(tokenId, entry);
  }
  return loaded;
}

async function loadBook(tokenId: string): Promise<BookSnapshot> {
  const readAt = now();
  try {
    const wire = await getJson("clob", "/book", { token_id: tokenId }, WireBook);
    if (wire.asset_id === tokenId) return toSnapshot(wire, readAt);
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue answered with another token's book");
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) {
      return emptyAt(readAt);
    }
    throw error;
  }
}

function toSnapshot(wire: WireBook, readAt: number): BookSnapshot {
  if (isTorn(wire)) throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's book is crossed");
  const book = toBook(wire);
  return { book, last: lastTradeOf(wire, book), readAt, changedAt: wire.timestamp ?? null };
}

/**
 * The venue gives the last trade in the price of whichever token was traded, in the books of both:
 * it is the one of the two prices that lies nearer to the quotes.
 */
function lastTradeOf({ last_trade_price: last }: WireBook, book: Book): bigint | null {
  if (!last) return null;
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  if (bid === null || ask === null) return last;
  const distance = (at: bigint) =>
    at > bid + ask - at ? 2n * at - bid - ask : bid + ask - 2n * at;
  return distance(last) <= distance(ONE - last) ? last : ONE - last;
}

/** A book that bids as much as it asks was torn while it was read, and is no book to trade on. */
function isTorn(wire: WireBook): boolean {
  const book = toBook(wire);
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  return bid !== null && ask !== null && bid >= ask;
}

const toBook = (wire: WireBook): Book => ({
  orders: [],
  house: [...levels(wire, "bid"), ...levels(wire, "ask")],
});

/** Where the exchange has no book. */
const emptyAt = (readAt: number): BookSnapshot => ({
  book: NO_BOOK,
  last: null,
  readAt,
  changedAt: null,
});

function levels(wire: WireBook, side: BookSide): HouseLevel[] {
  const found = side === "bid" ? wire.bids : wire.asks;
  return found
    .filter((level) => level.size > 0n && level.price > 0n && level.price < ONE)
    .map((level) => ({ side, price: price(level.price), size: shares(level.size) }));
}
