import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { bestPrice } from "@/lib/domain/matching";
import { assert } from "@/lib/errors";
import { parseMicro } from "@/lib/units";
import { readRemoteBook, readRemoteQuotes } from "@/lib/polymarket/books";
import { parseMarket, type RemoteMarket } from "@/lib/polymarket/markets";
import { readRecorded, readTokenId } from "@/tests/support/polymarket/recorded-data";
import { useUpstream } from "@/tests/support/polymarket/upstream";

const upstream = useUpstream();

let at = Date.UTC(2026, 10, 21);
let restore = () => {};
beforeEach(() => {
  // Later than any book that a former test read.
  at += 60_000;
  restore = setClock(() => at);
});
afterEach(() => restore());

interface Level {
  price: string;
  size: string;
}

interface RecordedBook {
  market: string;
  asset_id: string;
  bids: Level[];
  asks: Level[];
  last_trade_price?: string;
}

const BOOKS = ["clob/books.json", "clob/books_reconstructed.json"]
  .flatMap((file) => readRecorded<{ book: RecordedBook }[]>(file))
  .map(({ book }) => book);

const micro = (text: string): bigint => {
  const parsed = parseMicro(text);
  assert(parsed.ok, "recorded figures are decimals");
  return parsed.micro;
};
const sumSizes = (levels: readonly Level[]) =>
  levels.reduce((total, { price, size }) => total + micro(price) * micro(size), 0n);

function toMarket({ market: id, asset_id }: RecordedBook): RemoteMarket {
  const market = parseMarket(
    {
      conditionId: id,
      slug: "recorded",
      question: "Recorded?",
      outcomes: '["Yes","No"]',
      clobTokenIds: JSON.stringify([asset_id, readTokenId("other")]),
      closed: false,
    },
    null,
  );
  assert(market, "the market is complete");
  return market;
}

describe("recorded books", () => {
  it.each(BOOKS.map((book, index) => [index, book] as const))(
    "number %i keeps every level and its best prices, in the list of quotes too",
    async (_index, recorded) => {
      upstream.on("/clob/book", () => ({ json: recorded }));
      upstream.on("/clob/books", () => ({ json: [recorded] }));
      const market = toMarket(recorded);
      const quotes = await readRemoteQuotes([market]);
      at += 60_000;
      const book = await readRemoteBook(market);
      for (const [side, wire] of [
        ["bid", recorded.bids],
        ["ask", recorded.asks],
      ] as const) {
        const levels = book.house.filter((level) => level.side === side);
        expect(levels).toHaveLength(wire.length);
        const total = levels.reduce((sum, { price, size }) => sum + price * size, 0n);
        expect(total).toBe(sumSizes(wire));
      }
      // The venue sends the best level of each side last.
      const best = ([side, wire]: readonly ["bid" | "ask", Level[]]) => {
        const last = wire.at(-1);
        expect(bestPrice(book, side)).toBe(last ? micro(last.price) : null);
        expect(quotes.get(market.id)?.[side]).toBe(last ? micro(last.price) : null);
      };
      best(["bid", recorded.bids]);
      best(["ask", recorded.asks]);
    },
  );
});
