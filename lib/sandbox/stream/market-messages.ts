import "server-only";
import { now } from "@/lib/clock";
import type { FillRow } from "@/lib/db/rows";
import { tradeOf } from "@/lib/sandbox/last-trade";
import type { HashedBook } from "@/lib/polymarket/book-hash";
import type { TokenOfMarket, WireLevels } from "@/lib/sandbox/markets";
import { formatMicro, parseMicro } from "@/lib/units";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { Market } from "@/lib/venue/port";

/** A message of the market channel (polymarket.md 8.1). */
export type MarketMessage = { event_type: string } & Record<string, unknown>;

export const bookMessage = (book: HashedBook): MarketMessage => ({ event_type: "book", ...book });

/** What became of a book's levels; null when they are the same. */
export function priceChange(former: HashedBook, next: HashedBook): MarketMessage | null {
  const best = bestOf(next);
  const sides = [
    ["BUY", former.bids, next.bids],
    ["SELL", former.asks, next.asks],
  ] as const;
  const changes = sides.flatMap(([side, before, after]) =>
    changedLevels(before, after).map(({ price, size }) => ({
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

/** Whether two books hold the same, whenever they were read. */
export function isSameBook(one: WireLevels, other: WireLevels): boolean {
  return (
    changedLevels(one.bids, other.bids).length === 0 &&
    changedLevels(one.asks, other.asks).length === 0
  );
}

/** Each level that is new, resized, or gone: a size of "0". */
function changedLevels(before: Levels, after: Levels): { price: string; size: string }[] {
  const sizes = new Map(before.map(({ price, size }) => [price, size]));
  const changed = after.filter(({ price, size }) => sizes.get(price) !== size);
  const kept = new Set(after.map(({ price }) => price));
  const gone = before.filter(({ price }) => !kept.has(price));
  return [...changed, ...gone.map(({ price }) => ({ price, size: "0" }))];
}

/** The best prices, for who asked for them; null when they did not move. */
export function bestPrices(former: HashedBook | null, next: HashedBook): MarketMessage | null {
  const [before, after] = [former && bestOf(former), bestOf(next)];
  if (before?.bid === after.bid && before.ask === after.ask) return null;
  return {
    event_type: "best_bid_ask",
    market: next.market,
    asset_id: next.asset_id,
    best_bid: after.bid,
    best_ask: after.ask,
    spread: spreadOf(after),
    timestamp: next.timestamp,
  };
}

/** A side without levels is "0" below, and "1" above. */
function bestOf(book: HashedBook): { bid: string; ask: string } {
  return { bid: book.bids.at(-1)?.price ?? "0", ask: book.asks.at(-1)?.price ?? "1" };
}

function spreadOf({ bid, ask }: { bid: string; ask: string }): string {
  const [low, high] = [parseMicro(bid), parseMicro(ask)];
  return low.ok && high.ok ? formatMicro(high.micro - low.micro) : "";
}

/** A trade, as one token of its market shows it. */
export function tradeMessage(token: TokenOfMarket, fill: FillRow): MarketMessage {
  const { price, side } = tradeOf(token, fill);
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

export function resolvedMessage(market: Market, winner: OutcomeIndex): MarketMessage {
  return {
    event_type: "market_resolved",
    id: market.id,
    market: market.id,
    assets_ids: market.outcomes.map(({ tokenId }) => tokenId),
    winning_asset_id: market.outcomes[winner].tokenId,
    winning_outcome: market.outcomes[winner].name,
    timestamp: String(now()),
    tags: [market.category],
  };
}
