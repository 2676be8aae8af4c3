import "server-only";
import { createHash } from "node:crypto";

interface WireLevel {
  price: string;
  size: string;
}

/** A book as the venue sends it: bids ascend, asks descend, so the best level is the last. */
export interface WireBook {
  market: string;
  asset_id: string;
  /** Milliseconds since the epoch as decimal text. */
  timestamp: string;
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
  min_order_size: string;
  tick_size: string;
  neg_risk: boolean;
  last_trade_price: string;
}

export type HashedBook = WireBook & { hash: string };

/** SHA-1 over the book in the venue's own order of keys, with an empty hash in it. */
export const bookHash = (book: WireBook): string => withHash(book).hash;

/** The book with its hash, and its keys in that order: clients hash the answer as it came. */
export function withHash(book: WireBook): HashedBook {
  const level = ({ price, size }: WireLevel) => ({ price, size });
  const ordered = {
    market: book.market,
    asset_id: book.asset_id,
    timestamp: book.timestamp,
    hash: "",
    bids: book.bids.map(level),
    asks: book.asks.map(level),
    min_order_size: book.min_order_size,
    tick_size: book.tick_size,
    neg_risk: book.neg_risk,
    last_trade_price: book.last_trade_price,
  };
  return { ...ordered, hash: createHash("sha1").update(JSON.stringify(ordered)).digest("hex") };
}
