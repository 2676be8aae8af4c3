import "server-only";
import { createHash } from "node:crypto";

interface WireLevel {
  price: string;
  size: string;
}

/** A book in the venue's form: bids ascend and asks descend, so the best level is the last. */
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
  /** Only books of Protocol V2 name their protocol, which the hash covers, too. */
  version?: "v2";
}

export type HashedBook = WireBook & { hash: string };

/** Computes the SHA-1 of a book with the venue's key order and an empty `hash`. */
export const computeBookHash = (book: WireBook): string => addBookHash(book).hash;

/** Returns the book with its hash and the venue's key order, because clients hash the raw response. */
export function addBookHash(book: WireBook): HashedBook {
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
    ...(book.version === undefined ? {} : { version: book.version }),
  };
  return { ...ordered, hash: createHash("sha1").update(JSON.stringify(ordered)).digest("hex") };
}
