import "server-only";
import { now } from "@/lib/clock";
import type { FillRow } from "@/lib/db/rows";
import type { HashedBook } from "@/lib/polymarket/protocol/book-hash";
import { toEventId, toNumericId } from "@/lib/sandbox/gamma";
import { toTokenTrade, type TokenOfMarket } from "@/lib/sandbox/markets";
import { formatMicro, parseMicro } from "@/lib/units";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { Market } from "@/lib/venue/port";
import { type WireLevels } from "@/lib/sandbox/books";

/** A message of the market channel (polymarket.md 8.1). */
export type MarketMessage = { event_type: string } & Record<string, unknown>;

export const toBookMessage = (book: HashedBook): MarketMessage => ({ event_type: "book", ...book });

/** Builds the message about changed levels; null if none changed. */
export function diffBooks(previous: HashedBook, next: HashedBook): MarketMessage | null {
  const best = readBest(next);
  const sides = [
    ["BUY", previous.bids, next.bids],
    ["SELL", previous.asks, next.asks],
  ] as const;
  const changes = sides.flatMap(([side, before, after]) =>
    listChangedLevels(before, after).map(({ price, size }) => ({
      asset_id: next.asset_id,
      price,
      size,
      side,
      hash: next.hash,
      best_bid: best.bid,
      best_ask: best.ask,
    })),
  );
  if (changes.length === 0) return null;
  const { market, timestamp } = next;
  return { event_type: "price_change", market, price_changes: changes, timestamp };
}

type Levels = HashedBook["bids"];

/** Returns whether two books have the same levels. */
export function isSameBook(one: WireLevels, other: WireLevels): boolean {
  return (
    listChangedLevels(one.bids, other.bids).length === 0 &&
    listChangedLevels(one.asks, other.asks).length === 0
  );
}

/** Lists each level that is new, resized or gone (size "0"). */
function listChangedLevels(before: Levels, after: Levels): { price: string; size: string }[] {
  const sizes = new Map(before.map(({ price, size }) => [price, size]));
  const changed = after.filter(({ price, size }) => sizes.get(price) !== size);
  const remaining = new Set(after.map(({ price }) => price));
  const gone = before.filter(({ price }) => !remaining.has(price));
  return [...changed, ...gone.map(({ price }) => ({ price, size: "0" }))];
}

/** Builds the message about the best prices; null if they did not change. */
export function diffBestPrices(
  previous: HashedBook | null,
  next: HashedBook,
): MarketMessage | null {
  const [before, after] = [previous && readBest(previous), readBest(next)];
  if (before?.bid === after.bid && before.ask === after.ask) return null;
  return {
    event_type: "best_bid_ask",
    market: next.market,
    asset_id: next.asset_id,
    best_bid: after.bid,
    best_ask: after.ask,
    spread: computeSpread(after),
    timestamp: next.timestamp,
  };
}

/** Returns the best prices; without levels, "0" as bid and "1" as ask. */
function readBest(book: HashedBook): { bid: string; ask: string } {
  return { bid: book.bids.at(-1)?.price ?? "0", ask: book.asks.at(-1)?.price ?? "1" };
}

function computeSpread({ bid, ask }: { bid: string; ask: string }): string {
  const [low, high] = [parseMicro(bid), parseMicro(ask)];
  return low.ok && high.ok ? formatMicro(high.micro - low.micro) : "";
}

/** Builds the message about a trade, in the terms of one token of its market. */
export function toTradeMessage(token: TokenOfMarket, fill: FillRow): MarketMessage {
  const { price, side } = toTokenTrade(token, fill);
  return {
    event_type: "last_trade_price",
    market: token.market.id,
    asset_id: token.market.outcomes[token.outcome].tokenId,
    price: formatMicro(price),
    size: formatMicro(fill.shares),
    side,
    fee_rate_bps: "0",
    timestamp: String(fill.createdAt.getTime()),
  };
}

/** Builds the message about a market that opened (`custom_feature_enabled`). */
export function toNewMarketMessage(market: Market): MarketMessage {
  const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
  return {
    event_type: "new_market",
    id: toNumericId(market.id),
    question: market.title,
    market: market.id,
    slug: market.slug,
    description: market.rules,
    assets_ids: tokenIds,
    outcomes: market.outcomes.map(({ name }) => name),
    event_message: {
      id: toEventId(market),
      ticker: market.eventSlug,
      slug: market.eventSlug,
      title: market.eventTitle,
      description: market.rules,
    },
    timestamp: String(now()),
    tags: [market.category],
    condition_id: market.id,
    active: true,
    clob_token_ids: tokenIds,
    sports_market_type: "",
    line: "",
    game_start_time: "",
    order_price_min_tick_size: formatMicro(market.tick),
    group_item_title: market.label ?? "",
  };
}

/** Builds the message about a market's new tick size; null if it did not change. */
export function diffTickSizes(previous: TokenOfMarket, next: TokenOfMarket): MarketMessage | null {
  const { market, outcome } = next;
  if (previous.market.tick === market.tick) return null;
  return {
    event_type: "tick_size_change",
    market: market.id,
    asset_id: market.outcomes[outcome].tokenId,
    old_tick_size: formatMicro(previous.market.tick),
    new_tick_size: formatMicro(market.tick),
    timestamp: String(now()),
  };
}

export function toResolvedMessage(market: Market, winner: OutcomeIndex): MarketMessage {
  return {
    event_type: "market_resolved",
    id: toNumericId(market.id),
    market: market.id,
    assets_ids: market.outcomes.map(({ tokenId }) => tokenId),
    winning_asset_id: market.outcomes[winner].tokenId,
    winning_outcome: market.outcomes[winner].name,
    timestamp: String(now()),
    tags: [market.category],
  };
}
