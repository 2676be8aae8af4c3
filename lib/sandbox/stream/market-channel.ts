import "server-only";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { selectFillsById } from "@/lib/db/queries/sandbox-events";
import type { FillRow } from "@/lib/db/rows";
import { type HashedBook, addBookHash } from "@/lib/polymarket/protocol/book-hash";
import { nullIfRefused } from "@/lib/sandbox/error";
import { requireToken, type TokenOfMarket } from "@/lib/sandbox/markets";
import {
  diffBestPrices,
  toBookMessage,
  diffTickSizes,
  isSameBook,
  type MarketMessage,
  diffBooks,
  toNewMarketMessage,
  toResolvedMessage,
  toTradeMessage,
} from "@/lib/sandbox/stream/market-messages";
import {
  parseFrame,
  type Peer,
  sendMessages,
  type StreamSession,
} from "@/lib/sandbox/stream/session";
import { OrderTail } from "@/lib/sandbox/stream/order-tail";
import { makePollLoop } from "@/lib/sandbox/stream/poll-loop";
import { readInTurn, STREAMS } from "@/lib/sandbox/turns";
import { paperExchange } from "@/lib/venues";
import { readWireLevels, toWireBook } from "@/lib/sandbox/books";
import type { Market } from "@/lib/venue/port";

const STEP_MS = 500;
/** The house also moves its quotes with time, without an order event. */
const MAX_AGE_MS = 1_500;
/** Keeps a frame of books below a megabyte. */
const BOOKS_PER_FRAME = 50;

/** A subscriber of the market channel. */
interface MarketListener {
  send: (messages: readonly MarketMessage[]) => void;
  isSubscribedTo: (tokenId: string) => boolean;
  /** Whether the client asked for the optional messages (`custom_feature_enabled`). */
  wantsExtras: () => boolean;
}

/** A token with listeners. All of them have received `book`. */
interface Channel {
  token: TokenOfMarket;
  book: HashedBook | null;
  readAt: number;
  isResolved: boolean;
  listeners: Set<MarketListener>;
}

/** Polls the books of all subscribed tokens, once for all listeners. */
export class MarketFeed {
  private readonly channels = new Map<string, Channel>();
  private readonly tail = new OrderTail();
  private readonly loop = makePollLoop(() => this.step(), STEP_MS);
  private readonly opened = new OpenedMarkets();

  /** Subscribes a listener to tokens and, on request, sends their books. Ignores unknown tokens. */
  subscribe(
    listener: MarketListener,
    tokenIds: readonly string[],
    wantsBooks: boolean,
  ): Promise<void> {
    return this.loop.runBetween(async () => {
      const joined = await readInTurn(STREAMS, tokenIds, (tokenId) => this.join(listener, tokenId));
      const books = joined.filter((book) => book !== null);
      if (wantsBooks) sendBooks(listener, books);
      if (!listener.wantsExtras()) return;
      listener.send(books.flatMap((book) => diffBestPrices(null, book) ?? []));
    });
  }

  unsubscribe(listener: MarketListener, tokenId: string): void {
    this.channels.get(tokenId)?.listeners.delete(listener);
    this.removeIfUnused(tokenId);
  }

  private removeIfUnused(tokenId: string): void {
    if (this.channels.get(tokenId)?.listeners.size === 0) this.channels.delete(tokenId);
    if (this.channels.size > 0) return;
    this.loop.stop();
    this.tail.stop();
    this.opened.forget();
  }

  /** Waits for the reads that are running. */
  waitUntilIdle(): Promise<void> {
    return this.loop.waitUntilIdle();
  }

  /** Adds the listener to the token's channel. Returns the book that later changes refer to. */
  private async join(listener: MarketListener, tokenId: string): Promise<HashedBook | null> {
    const channel = this.channels.get(tokenId) ?? (await this.open(tokenId));
    if (!channel) return null;
    try {
      await this.refresh(channel, []);
      // The client may have unsubscribed or disconnected during the read.
      if (listener.isSubscribedTo(tokenId)) channel.listeners.add(listener);
      return channel.book;
    } finally {
      this.removeIfUnused(tokenId);
    }
  }

  private async open(tokenId: string): Promise<Channel | null> {
    const token = await nullIfRefused(() => requireToken(tokenId));
    if (!token) return null;
    await this.tail.start();
    const isResolved = paperExchange().getState(token.market).winner !== null;
    const channel: Channel = { token, book: null, readAt: 0, isResolved, listeners: new Set() };
    this.channels.set(tokenId, channel);
    this.loop.start();
    return channel;
  }

  /** Refreshes tokens with new order events, and tokens that were last read too long ago. */
  private async step(): Promise<void> {
    if (this.channels.size === 0) return;
    await this.announceOpened();
    const events = await this.tail.read();
    const moved = new Set(events.map(({ marketId }) => marketId));
    const trades = await this.readTrades(events.flatMap(({ fillId }) => fillId ?? []));
    const oldest = performance.now() - MAX_AGE_MS;
    const due = [...this.channels.values()].filter(
      ({ token, readAt }) => moved.has(token.market.id) || readAt <= oldest,
    );
    await readInTurn(STREAMS, due, (channel) =>
      this.refresh(channel, trades.get(channel.token.market.id) ?? []),
    );
  }

  /** Sends markets that opened to every listener that asked for optional messages. */
  private async announceOpened(): Promise<void> {
    const listeners = [...this.channels.values()].flatMap((channel) => [...channel.listeners]);
    const interested = new Set(listeners.filter((listener) => listener.wantsExtras()));
    if (interested.size === 0) return this.opened.forget();
    const messages = (await this.opened.read()).map(toNewMarketMessage);
    if (messages.length === 0) return;
    for (const listener of interested) listener.send(messages);
  }

  /** Reads the trades of new fills by market. The taker's fill represents each trade. */
  private async readTrades(fillIds: readonly string[]): Promise<Map<string, FillRow[]>> {
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
    const { token: known, book: previous } = channel;
    const token = await readCurrent(known);
    const { market } = token;
    channel.token = token;
    const book = await readBook(channel, trades.length > 0);
    channel.readAt = performance.now();
    const messages: MarketMessage[] = [];
    const extras: MarketMessage[] = [];
    const tick = diffTickSizes(known, token);
    if (tick) messages.push(tick);
    const change = previous && book && diffBooks(previous, book);
    channel.book = book;
    if (change) messages.push(change);
    messages.push(...trades.map((fill) => toTradeMessage(token, fill)));
    if (book && trades.length > 0) messages.push(toBookMessage(book));
    const best = previous && book && diffBestPrices(previous, book);
    if (best) extras.push(best);
    const { winner } = paperExchange().getState(market);
    if (winner !== null && !channel.isResolved) extras.push(toResolvedMessage(market, winner));
    channel.isResolved = winner !== null;
    for (const listener of channel.listeners) {
      const all = listener.wantsExtras() ? [...messages, ...extras] : messages;
      if (all.length > 0) listener.send(all);
    }
  }
}

/** Reads the market of a token again, whose tick size and state may have changed. */
async function readCurrent(known: TokenOfMarket): Promise<TokenOfMarket> {
  const { tokenId } = known.market.outcomes[known.outcome];
  return (await nullIfRefused(() => requireToken(tokenId))) ?? known;
}

/** Finds the markets that opened since the last read. */
class OpenedMarkets {
  private readTo: number | null = null;

  /** Starts again with the next read, which finds none. */
  forget(): void {
    this.readTo = null;
  }

  async read(): Promise<Market[]> {
    const [from, to] = [this.readTo, paperExchange().now()];
    this.readTo = to;
    if (from === null) return [];
    const listed = await paperExchange().listMarkets();
    return listed.filter(({ opensAt }) => opensAt > from && opensAt <= to);
  }
}

/** Reads the current book. Returns the known one if no level changed and nothing traded. */
async function readBook({ token, book }: Channel, isTraded: boolean): Promise<HashedBook | null> {
  const levels = await readWireLevels(token);
  if (!levels) return book && toEmptyBook(book);
  if (book && !isTraded && isSameBook(book, levels)) return book;
  return toWireBook(token, levels);
}

function sendBooks(listener: MarketListener, books: readonly HashedBook[]): void {
  for (let from = 0; from < books.length; from += BOOKS_PER_FRAME) {
    listener.send(books.slice(from, from + BOOKS_PER_FRAME).map(toBookMessage));
  }
}

/** Returns a book without levels, for a market that closed. */
function toEmptyBook(book: HashedBook): HashedBook {
  if (book.bids.length + book.asks.length === 0) return book;
  return addBookHash({ ...book, bids: [], asks: [], timestamp: String(paperExchange().now()) });
}

const MAX_TOKENS = 500;

const Frame = z.object({
  operation: z.enum(["subscribe", "unsubscribe"]).optional(),
  assets_ids: z.array(z.string().max(78)).max(MAX_TOKENS).default([]),
  initial_dump: z.boolean().default(true),
  custom_feature_enabled: z.boolean().optional(),
});

/** Opens a session on the market channel (polymarket.md 8.1). */
export function openMarketSession(peer: Peer, feed: MarketFeed): StreamSession {
  const tokens = new Set<string>();
  let wantsExtras = false;
  const listener: MarketListener = {
    send: (messages) => sendMessages(peer, messages),
    isSubscribedTo: (tokenId) => tokens.has(tokenId),
    wantsExtras: () => wantsExtras,
  };
  const drop = (tokenId: string) => {
    tokens.delete(tokenId);
    feed.unsubscribe(listener, tokenId);
  };
  return {
    receive: async (text) => {
      if (text === "PING") return peer.send("PONG");
      const frame = Frame.safeParse(parseFrame(text));
      if (!frame.success) return;
      const { operation, assets_ids: ids, custom_feature_enabled: extras } = frame.data;
      if (extras !== undefined) wantsExtras = extras;
      if (operation === "unsubscribe") return ids.forEach(drop);
      const fresh = [...new Set(ids)].filter((id) => !tokens.has(id));
      if (tokens.size + fresh.length > MAX_TOKENS) return peer.close();
      for (const id of fresh) tokens.add(id);
      await feed.subscribe(listener, fresh, frame.data.initial_dump);
    },
    close: () => {
      for (const tokenId of tokens) drop(tokenId);
    },
  };
}
