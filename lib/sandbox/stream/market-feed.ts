import "server-only";
import { getDb } from "@/lib/db/client";
import { selectFillsById } from "@/lib/db/queries/sandbox-events";
import type { FillRow } from "@/lib/db/rows";
import { type HashedBook, withHash } from "@/lib/polymarket/book-hash";
import { SandboxError } from "@/lib/sandbox/error";
import { inTurn } from "@/lib/sandbox/limits";
import {
  readWireLevels,
  requireToken,
  toWireBook,
  type TokenOfMarket,
} from "@/lib/sandbox/markets";
import {
  bestPrices,
  bookMessage,
  isSameBook,
  type MarketMessage,
  priceChange,
  resolvedMessage,
  tradeMessage,
} from "@/lib/sandbox/stream/market-messages";
import { OrderTail } from "@/lib/sandbox/stream/order-tail";
import { makePacer } from "@/lib/sandbox/stream/pacer";
import { paperExchange } from "@/lib/venue";

const STEP_MS = 500;
/** The house moves its quotes by the clock alone: nobody's order tells of it. */
const MAX_AGE_MS = 1_500;
/** Books are long: a frame of them stays below a megabyte. */
const BOOKS_PER_FRAME = 50;

/** Who listens to the market channel. */
export interface MarketListener {
  send: (messages: readonly MarketMessage[]) => void;
  /** Whether a token is still among those it subscribed to. */
  listensTo: (tokenId: string) => boolean;
  /** Whether the messages that must be asked for were. */
  wantsMore: () => boolean;
}

/** A token that somebody listens to: all of them know its book as it stands here. */
interface Channel {
  token: TokenOfMarket;
  book: HashedBook | null;
  readAt: number;
  isResolved: boolean;
  listeners: Set<MarketListener>;
}

/** Watches the books of the tokens that are subscribed to, once for all listeners. */
export class MarketFeed {
  private readonly channels = new Map<string, Channel>();
  private readonly tail = new OrderTail();
  private readonly pacer = makePacer(() => this.step(), STEP_MS);

  /**
   * Adds a listener to tokens, and sends it their books unless it does not want them. A token that is
   * not there stays silent.
   */
  subscribe(
    listener: MarketListener,
    tokenIds: readonly string[],
    wantsBooks: boolean,
  ): Promise<void> {
    return this.pacer.between(async () => {
      const joined = await inTurn(tokenIds, (tokenId) => this.join(listener, tokenId));
      const books = joined.filter((book) => book !== null);
      if (wantsBooks) sendBooks(listener, books);
      if (!listener.wantsMore()) return;
      listener.send(books.flatMap((book) => bestPrices(null, book) ?? []));
    });
  }

  unsubscribe(listener: MarketListener, tokenId: string): void {
    this.channels.get(tokenId)?.listeners.delete(listener);
    this.forgetUnheard(tokenId);
  }

  private forgetUnheard(tokenId: string): void {
    if (this.channels.get(tokenId)?.listeners.size === 0) this.channels.delete(tokenId);
    if (this.channels.size > 0) return;
    this.pacer.stop();
    this.tail.end();
  }

  /** Waits for the reads under way. */
  idle(): Promise<void> {
    return this.pacer.idle();
  }

  /** Returns the token's book, which from now on the listener is told the changes of. */
  private async join(listener: MarketListener, tokenId: string): Promise<HashedBook | null> {
    const channel = this.channels.get(tokenId) ?? (await this.open(tokenId));
    if (!channel) return null;
    try {
      await this.refresh(channel, []);
      // It may have gone, or changed its mind, while this was read.
      if (listener.listensTo(tokenId)) channel.listeners.add(listener);
      return channel.book;
    } finally {
      this.forgetUnheard(tokenId);
    }
  }

  private async open(tokenId: string): Promise<Channel | null> {
    const token = await orNull(() => requireToken(tokenId));
    if (!token) return null;
    await this.tail.begin();
    const isResolved = paperExchange().getState(token.market).winner !== null;
    const channel: Channel = { token, book: null, readAt: 0, isResolved, listeners: new Set() };
    this.channels.set(tokenId, channel);
    this.pacer.start();
    return channel;
  }

  /** Looks at the tokens whose orders moved, and at those not looked at for long. */
  private async step(): Promise<void> {
    if (this.channels.size === 0) return;
    const news = await this.tail.read();
    const moved = new Set(news.map(({ marketId }) => marketId));
    const trades = await this.tradesOf(news.flatMap(({ fillId }) => fillId ?? []));
    const old = performance.now() - MAX_AGE_MS;
    const due = [...this.channels.values()].filter(
      ({ token, readAt }) => moved.has(token.market.id) || readAt <= old,
    );
    await inTurn(due, (channel) =>
      this.refresh(channel, trades.get(channel.token.market.id) ?? []),
    );
  }

  /** The trades behind new fills by market; the taker's fill stands for each. */
  private async tradesOf(fillIds: readonly string[]): Promise<Map<string, FillRow[]>> {
    const fills = await selectFillsById(await getDb(), fillIds);
    const takers = new Set(fills.flatMap((fill) => (fill.role === "taker" ? fill.tradeId : [])));
    const byMarket = new Map<string, FillRow[]>();
    for (const fill of fills) {
      if (fill.role === "maker" && takers.has(fill.tradeId)) continue;
      byMarket.set(fill.marketId, [...(byMarket.get(fill.marketId) ?? []), fill]);
    }
    return byMarket;
  }

  private async refresh(channel: Channel, trades: readonly FillRow[]): Promise<void> {
    const { token, book: former } = channel;
    const { market } = token;
    const book = await readBook(channel, trades.length > 0);
    channel.readAt = performance.now();
    const messages: MarketMessage[] = [];
    const extras: MarketMessage[] = [];
    const change = former && book && priceChange(former, book);
    channel.book = book;
    if (change) messages.push(change);
    messages.push(...trades.map((fill) => tradeMessage(token, fill)));
    if (book && trades.length > 0) messages.push(bookMessage(book));
    const best = former && book && bestPrices(former, book);
    if (best) extras.push(best);
    const { winner } = paperExchange().getState(market);
    if (winner !== null && !channel.isResolved) extras.push(resolvedMessage(market, winner));
    channel.isResolved = winner !== null;
    for (const listener of channel.listeners) {
      const all = listener.wantsMore() ? [...messages, ...extras] : messages;
      if (all.length > 0) listener.send(all);
    }
  }
}

/** The book now; the one that was told of while its levels are the same and nobody traded. */
async function readBook({ token, book }: Channel, isTraded: boolean): Promise<HashedBook | null> {
  const levels = await readWireLevels(token);
  if (!levels) return book && emptied(book);
  if (book && !isTraded && isSameBook(book, levels)) return book;
  return toWireBook(token, levels);
}

function sendBooks(listener: MarketListener, books: readonly HashedBook[]): void {
  for (let from = 0; from < books.length; from += BOOKS_PER_FRAME) {
    listener.send(books.slice(from, from + BOOKS_PER_FRAME).map(bookMessage));
  }
}

/** What is left of a book once its market is closed. */
function emptied(book: HashedBook): HashedBook {
  if (book.bids.length + book.asks.length === 0) return book;
  return withHash({ ...book, bids: [], asks: [], timestamp: String(paperExchange().now()) });
}

/** Null for what the venue would not find. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SandboxError) return null;
    throw error;
  }
}
