import { describe, expect, it } from "vitest";
import { computeBookHash, type WireBook } from "@/lib/polymarket/protocol/book-hash";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

type Recorded = WireBook & { hash: string };

const recorded = [
  ...readRecorded<{ hash_verified?: boolean; hash_form?: string; book: Recorded }[]>(
    "clob/books.json",
  ),
  ...readRecorded<{ book: Recorded }[]>("clob/books_reconstructed.json"),
]
  .map(({ book }) => book)
  .filter((book) => book.hash && book.last_trade_price !== undefined && book.tick_size);

describe("computeBookHash", () => {
  it("is tested with many recorded books", () => {
    expect(recorded.length).toBeGreaterThan(80);
  });

  it("equals the venue's hash of every recorded book", () => {
    const wrong = recorded.filter((book) => computeBookHash(book) !== book.hash);
    expect(wrong.map(({ asset_id, timestamp }) => `${asset_id} at ${timestamp}`)).toEqual([]);
  });
});
