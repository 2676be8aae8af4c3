import "server-only";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { bestPrice, type BookSide, type HouseLevel } from "@/lib/domain/matching";
import { type Quote, quote } from "@/lib/domain/mark-price";
import type { Price } from "@/lib/units";
import { type QuoteState, readQuoteStates } from "@/lib/venue/paper/quote-state";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket, Ladder } from "@/lib/venue/paper/source/port";
import { readBook } from "@/lib/venue/paper/store";

/** Quotes of many markets at an instant, in prices of the first token, by market id. */
export async function readQuotes(
  list: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, Quote>> {
  const quotes = new Map<string, Quote>();
  const open: { market: ExchangeMarket; ladder: Ladder | null }[] = [];
  for (const market of list) {
    const payout = originOf(market).getFirstPayout(at);
    if (payout === null) open.push({ market, ladder: originOf(market).getLadder(at) });
    else quotes.set(market.id, { bid: null, ask: null, mark: payout });
  }
  const db = await getDb();
  const ids = open.map(({ market }) => market.id);
  const states = await readQuoteStates(db, ids, spanOf(open.map(({ ladder }) => ladder)));
  for (const { market, ladder } of open) {
    quotes.set(market.id, await quoteOf(db, market, at, { ladder, state: states.get(market.id) }));
  }
  return quotes;
}

/** From the first to the last epoch under which any ladder misses something. */
function spanOf(ladders: readonly (Ladder | null)[]): Ladder["epochs"] {
  const epochs = ladders.flatMap((ladder) => (ladder ? [ladder.epochs] : []));
  if (epochs.length === 0) return { from: 0, to: 0 };
  return {
    from: Math.min(...epochs.map(({ from }) => from)),
    to: Math.max(...epochs.map(({ to }) => to)),
  };
}

interface QuoteInputs {
  ladder: Ladder | null;
  state: QuoteState | undefined;
}

async function quoteOf(
  db: Tx,
  market: ExchangeMarket,
  at: number,
  { ladder, state }: QuoteInputs,
): Promise<Quote> {
  // Where others trade the market, our own last trade says less than theirs.
  const last = originOf(market).getLastTrade(at) ?? state?.last ?? null;
  const fallback = last ?? originOf(market).getFallbackPrice(at);
  const bid = better("bid", bestLevel(ladder, state, "bid"), state?.resting.bid ?? null);
  const ask = better("ask", bestLevel(ladder, state, "ask"), state?.resting.ask ?? null);
  // A quote has just reached a resting order: only the whole book tells what will be left of it.
  if (bid !== null && ask !== null && bid >= ask) {
    const book = await readBook(db, market, at);
    return quote({ bid: bestPrice(book, "bid"), ask: bestPrice(book, "ask") }, last, fallback);
  }
  return quote({ bid, ask }, last, fallback);
}

/** The best price of the house of which something is left. */
function bestLevel(
  ladder: Ladder | null,
  state: QuoteState | undefined,
  side: BookSide,
): Price | null {
  if (!ladder) return null;
  const { from, to } = ladder.epochs;
  const taken = (state?.taken ?? []).filter((one) => {
    return one.side === side && one.epoch >= from && one.epoch <= to;
  });
  const left = sidesOf(ladder.levels)[side].find((level) => {
    let gone = 0n;
    for (const one of taken) if (one.price === level.price) gone += one.shares;
    return gone < level.size;
  });
  return left?.price ?? null;
}

/** The levels of each side, best first. A ladder stands for seconds, and many ask for its best. */
const sides = new WeakMap<readonly HouseLevel[], Record<BookSide, HouseLevel[]>>();

function sidesOf(levels: readonly HouseLevel[]): Record<BookSide, HouseLevel[]> {
  const known = sides.get(levels);
  if (known) return known;
  const sorted = levels.toSorted((a, b) => Number(a.price - b.price));
  const sorting = {
    bid: sorted.filter(({ side }) => side === "bid").toReversed(),
    ask: sorted.filter(({ side }) => side === "ask"),
  };
  sides.set(levels, sorting);
  return sorting;
}

function better(side: BookSide, a: Price | null, b: Price | null): Price | null {
  if (a === null || b === null) return a ?? b;
  const isAHigher = a > b;
  return isAHigher === (side === "bid") ? a : b;
}
