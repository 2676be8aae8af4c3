import "server-only";
import { inArray } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { markets } from "@/lib/db/schema/trading";
import { bestPrice, type HouseLevel } from "@/lib/domain/matching";
import { type BestPrices, payoutPrice, type Quote, quote } from "@/lib/domain/mark-price";
import type { Price } from "@/lib/units";
import { type PaperMarket, stateAt } from "@/lib/venue/paper/market";
import { referencePrice } from "@/lib/venue/paper/reference-price";
import { loadHouses, readBestResting, readBook } from "@/lib/venue/paper/store";

/** Quotes of many markets at an instant, in prices of the first token, by market id. */
export async function readQuotes(
  list: readonly PaperMarket[],
  at: number,
): Promise<Map<string, Quote>> {
  const db = await getDb();
  const open = list.filter((market) => stateAt(market, at).status !== "resolved");
  const ids = open.map((market) => market.id);
  const [houses, resting, last] = [
    await loadHouses(db, open, at),
    await readBestResting(db, ids),
    await readLastPrices(db, ids),
  ];
  const quotes = new Map<string, Quote>();
  for (const market of list) {
    const { winner } = stateAt(market, at);
    const inputs = {
      house: houses.get(market.id) ?? [],
      resting: resting.get(market.id),
      last: last.get(market.id) ?? null,
    };
    quotes.set(
      market.id,
      winner === null
        ? await quoteOf(db, market, at, inputs)
        : { bid: null, ask: null, mark: payoutPrice(winner === 0) },
    );
  }
  return quotes;
}

interface QuoteInputs {
  house: readonly HouseLevel[];
  resting: BestPrices | undefined;
  last: Price | null;
}

async function quoteOf(
  db: Tx,
  market: PaperMarket,
  at: number,
  inputs: QuoteInputs,
): Promise<Quote> {
  const fallback = referencePrice(market, Math.min(at, market.closesAt));
  const house = { orders: [], house: inputs.house };
  const bid = better("bid", bestPrice(house, "bid"), inputs.resting?.bid ?? null);
  const ask = better("ask", bestPrice(house, "ask"), inputs.resting?.ask ?? null);
  // A quote has just reached a resting order: only the whole book tells what will be left of it.
  if (bid !== null && ask !== null && bid >= ask) {
    const book = await readBook(db, market, at);
    const best = { bid: bestPrice(book, "bid"), ask: bestPrice(book, "ask") };
    return quote(best, inputs.last, fallback);
  }
  return quote({ bid, ask }, inputs.last, fallback);
}

function better(side: "bid" | "ask", a: Price | null, b: Price | null): Price | null {
  if (a === null || b === null) return a ?? b;
  const isAHigher = a > b;
  return isAHigher === (side === "bid") ? a : b;
}

async function readLastPrices(db: Tx, ids: readonly string[]): Promise<Map<string, Price | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: markets.id, last: markets.lastPrice })
    .from(markets)
    .where(inArray(markets.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.last]));
}
