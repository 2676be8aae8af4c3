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

  it("covers the version of a book of Protocol V2", () => {
    const { vectors } = readRecorded<{ vectors: { name: string; body: Recorded }[] }>(
      "protocol-v2/recorded.json",
    );
    const book = vectors.find(({ name }) => name === "CLOB book of a V2 token")?.body;
    if (!book) throw new Error("a book of Protocol V2 was recorded");
    expect(book.version).toBe("v2");
    expect(computeBookHash(book)).toBe(book.hash);
    const { version: _, ...other } = book;
    expect(computeBookHash(other)).not.toBe(book.hash);
  });

  it("equals the venue's hash of every recorded book", () => {
    const wrong = recorded.filter((book) => computeBookHash(book) !== book.hash);
    expect(wrong.map(({ asset_id, timestamp }) => `${asset_id} at ${timestamp}`)).toEqual([]);
  });
});
