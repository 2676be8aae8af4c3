import "server-only";
import type { Book, BookSide, HouseLevel } from "@/lib/domain/matching";
import { bestPrice } from "@/lib/domain/matching";
import { type Quote, quote } from "@/lib/domain/mark-price";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
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

/** A book, or null where the exchange has none. */
interface Kept {
  book: Book;
  last: bigint | null;
}

const kept = new ExpiringCache<Kept>({ max: MAX_BOOKS, freshMs: BOOK_FRESH_MS });
const NO_BOOK: Kept = { book: { orders: [], house: [] }, last: null };

/**
 * A market's book in prices of its first token. The book of the second is the same one seen from
 * the other side, so that it is never asked for.
 */
export async function readRemoteBook(market: RemoteMarket): Promise<Book> {
  if (market.state.status === "resolved") return NO_BOOK.book;
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

/** Quotes of many markets, by market id. */
export async function readRemoteQuotes(
  markets: readonly RemoteMarket[],
): Promise<Map<string, Quote>> {
  const trading = markets.filter(({ state }) => state.status === "open");
  const books = await readBooks(trading.map(({ outcomes }) => outcomes[0].tokenId));
  return new Map(
    markets.map((market) => [market.id, quoteOf(market, books.get(market.outcomes[0].tokenId))]),
  );
}

function quoteOf(market: RemoteMarket, found: Kept | undefined): Quote {
  if (!found) return { bid: null, ask: null, mark: market.listedPrice };
  const best = { bid: bestPrice(found.book, "bid"), ask: bestPrice(found.book, "ask") };
  const last = found.last === null ? market.lastTrade : price(found.last);
  return quote(best, last, market.listedPrice);
}

async function readBooks(tokenIds: readonly string[]): Promise<Map<string, Kept>> {
  const found = new Map<string, Kept>();
  const missing: string[] = [];
  for (const tokenId of new Set(tokenIds)) {
    const known = kept.find(tokenId, QUOTE_STALE_MS);
    if (known) found.set(tokenId, known);
    else missing.push(tokenId);
  }
  const requests: Promise<Map<string, Kept>>[] = [];
  for (let at = 0; at < missing.length; at += MAX_TOKENS) {
    requests.push(loadBooks(missing.slice(at, at + MAX_TOKENS)));
  }
  for (const loaded of await Promise.all(requests)) {
    for (const [tokenId, entry] of loaded) found.set(tokenId, entry);
  }
  return found;
}

async function loadBooks(tokenIds: readonly string[]): Promise<Map<string, Kept>> {
  const body = JSON.stringify(tokenIds.map((tokenId) => ({ token_id: tokenId })));
  const wire = await readJson({ service: "clob", method: "POST", path: "/books", body }, WireBooks);
  const byToken = new Map(wire.map((book) => [book.asset_id, book]));
  const loaded = new Map<string, Kept>();
  for (const tokenId of tokenIds) {
    const book = byToken.get(tokenId);
    const entry = book ? toKept(book) : NO_BOOK;
    kept.set(tokenId, entry);
    loaded.set(tokenId, entry);
  }
  return loaded;
}

async function loadBook(tokenId: string): Promise<Kept> {
  try {
    const wire = await getJson("clob", "/book", { token_id: tokenId }, WireBook);
    if (wire.asset_id === tokenId) return toKept(wire);
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue answered with another token's book");
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) return NO_BOOK;
    throw error;
  }
}

/** A book that bids as much as it asks was torn while it was read, and is no book to trade on. */
function toKept(wire: WireBook): Kept {
  const house = [...levels(wire, "bid"), ...levels(wire, "ask")];
  const book: Book = { orders: [], house };
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  if (bid !== null && ask !== null && bid >= ask) {
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's book is crossed");
  }
  return { book, last: wire.last_trade_price || null };
}

function levels(wire: WireBook, side: BookSide): HouseLevel[] {
  const found = side === "bid" ? wire.bids : wire.asks;
  return found
    .filter((level) => level.size > 0n && level.price > 0n && level.price < ONE)
    .map((level) => ({ side, price: price(level.price), size: shares(level.size) }));
}
