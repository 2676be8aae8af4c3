import { describe, expect, it } from "vitest";
import { bookHash, type WireBook } from "@/lib/polymarket/book-hash";
import { readRecorded } from "@/tests/support/polymarket-data";

type Recorded = WireBook & { hash: string };

const recorded = [
  ...readRecorded<{ hash_verified?: boolean; hash_form?: string; book: Recorded }[]>(
    "clob/books.json",
  ),
  ...readRecorded<{ book: Recorded }[]>("clob/books_reconstructed.json"),
]
  .map(({ book }) => book)
  .filter((book) => book.hash && book.last_trade_price !== undefined && book.tick_size);

describe("bookHash", () => {
  it("has many recorded books to agree with", () => {
    expect(recorded.length).toBeGreaterThan(80);
  });

  it("is what the venue sent with each recorded book", () => {
    const wrong = recorded.filter((book) => bookHash(book) !== book.hash);
    expect(wrong.map(({ asset_id, timestamp }) => `${asset_id} at ${timestamp}`)).toEqual([]);
  });
});
