import "server-only";
import { sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
import { houseTaken, markets, orders } from "@/lib/db/schema/trading";
import { type BestPrices, type Quote, quote } from "@/lib/domain/mark-price";
import { bestPrice, type BookSide, type HouseLevel } from "@/lib/domain/matching";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { ExchangeMarket, Ladder } from "@/lib/exchange/market-source";
import { readBook } from "@/lib/exchange/read-book";
import { type Price, price } from "@/lib/units";

/** Returns quotes of markets at an instant, in prices of the first token, by market id. */
export async function readQuotes(
  list: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, Quote>> {
  const quotes = new Map<string, Quote>();
  const open: { market: ExchangeMarket; ladder: Ladder | null }[] = [];
  for (const market of list) {
    const payout = getMarketData(market).getFirstPayout(at);
    if (payout === null) open.push({ market, ladder: getMarketData(market).getLadder(at) });
    else quotes.set(market.id, { bid: null, ask: null, mark: payout });
  }
  const db = await getDb();
  const ids = open.map(({ market }) => market.id);
  const states = await readQuoteStates(
    db,
    ids,
    computeEpochRange(open.map(({ ladder }) => ladder)),
  );
  for (const { market, ladder } of open) {
    quotes.set(
      market.id,
      await computeQuote(db, market, at, { ladder, state: states.get(market.id) }),
    );
  }
  return quotes;
}

/** Returns the range that covers the epochs of all ladders. */
function computeEpochRange(ladders: readonly (Ladder | null)[]): Ladder["epochs"] {
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

async function computeQuote(
  db: Tx,
  market: ExchangeMarket,
  at: number,
  { ladder, state }: QuoteInputs,
): Promise<Quote> {
  // The live venue's last trade takes precedence over the last trade on this exchange.
  const last = getMarketData(market).getLastTrade(at) ?? state?.last ?? null;
  const fallback = last ?? getMarketData(market).getFallbackPrice(at);
  const bid = chooseBetter("bid", findBestLevel(ladder, state, "bid"), state?.resting.bid ?? null);
  const ask = chooseBetter("ask", findBestLevel(ladder, state, "ask"), state?.resting.ask ?? null);
  // A house quote has reached a resting order. The book shows the prices after they trade.
  if (bid !== null && ask !== null && bid >= ask) {
    const book = await readBook(db, market, at);
    return quote({ bid: bestPrice(book, "bid"), ask: bestPrice(book, "ask") }, last, fallback);
  }
  return quote({ bid, ask }, last, fallback);
}

/** Returns the best house price with remaining size. */
function findBestLevel(
  ladder: Ladder | null,
  state: QuoteState | undefined,
  side: BookSide,
): Price | null {
  if (!ladder) return null;
  const { from, to } = ladder.epochs;
  const taken = (state?.taken ?? []).filter((one) => {
    return one.side === side && one.epoch >= from && one.epoch <= to;
  });
  const left = sortSides(ladder.levels)[side].find((level) => {
    let takenSize = 0n;
    for (const one of taken) if (one.price === level.price) takenSize += one.shares;
    return takenSize < level.size;
  });
  return left?.price ?? null;
}

/** Levels per side, best first. A ladder is unchanged for seconds and read often, so they are cached. */
const sortedSides = new WeakMap<readonly HouseLevel[], Record<BookSide, HouseLevel[]>>();

function sortSides(levels: readonly HouseLevel[]): Record<BookSide, HouseLevel[]> {
  const known = sortedSides.get(levels);
  if (known) return known;
  const sorted = levels.toSorted((a, b) => Number(a.price - b.price));
  const bySide = {
    bid: sorted.filter(({ side }) => side === "bid").toReversed(),
    ask: sorted.filter(({ side }) => side === "ask"),
  };
  sortedSides.set(levels, bySide);
  return bySide;
}

function chooseBetter(side: BookSide, a: Price | null, b: Price | null): Price | null {
  if (a === null || b === null) return a ?? b;
  const isAHigher = a > b;
  return isAHigher === (side === "bid") ? a : b;
}

/** The database's part of a quote, in prices of the first token. */
interface QuoteState {
  /** The best prices of users' resting orders. */
  resting: BestPrices;
  /** The last trade on this exchange. */
  last: Price | null;
  /** Shares that users took from house levels, by epoch. */
  taken: { side: HouseLevel["side"]; price: Price; epoch: number; shares: bigint }[];
}

type Decimal = string | null;
type StateTuple = [
  id: string,
  bid: Decimal,
  ask: Decimal,
  last: Decimal,
  taken: [side: HouseLevel["side"], price: string, epoch: number, shares: string][] | null,
];

const selectBest = (side: "bid" | "ask") => sql`(
  select ${orders.bookPrice}::text from ${orders}
  where ${orders.marketId} = requested.id and ${orders.bookSide} = ${sql.raw(`'${side}'`)}
    and ${orders.status} in ('open', 'delayed') and ${orders.status} = 'open'
    and ${orders.bookPrice} is not null and ${ofMode(orders.epoch, "paper")}
    and (${orders.expiresAt} is null or ${orders.expiresAt} > ${sql.placeholder("now")}::timestamptz)
  order by (case when ${orders.bookSide} = 'bid' then - ${orders.bookPrice} else ${orders.bookPrice} end)
  limit 1)`;

// Reads the first order of each side from the index of the trading order. Returns one JSON value.
const quoteStates = prepareOnce((tx) =>
  tx
    .select({
      states: sql<
        StateTuple[]
      >`coalesce(json_agg(json_build_array(requested.id, ${selectBest("bid")}, ${selectBest("ask")},
        ${markets.lastPrice}::text, (
          select json_agg(json_build_array(${houseTaken.side}, ${houseTaken.price}::text,
            ${houseTaken.epoch}, ${houseTaken.taken}::text))
          from ${houseTaken}
          where ${houseTaken.marketId} = requested.id
            and ${houseTaken.epoch} between ${sql.placeholder("from")} and ${sql.placeholder("to")}
        ))), '[]')`,
    })
    .from(
      sql`json_array_elements_text(${sql.placeholder("ids")}::text::json) as requested (id)
        left join ${markets} on ${markets.id} = requested.id`,
    )
    .prepare("quote_states"),
);

/** Reads the state of many markets in one statement, by market id. */
async function readQuoteStates(
  tx: Tx,
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, QuoteState>> {
  if (ids.length === 0) return new Map();
  const at = new Date(now()).toISOString();
  const [found] = await quoteStates(tx).execute({ ids: JSON.stringify(ids), from, to, now: at });
  return new Map((found?.states ?? []).map((state) => [state[0], toState(state)]));
}

function toState([, bid, ask, last, taken]: StateTuple): QuoteState {
  return {
    resting: { bid: toPrice(bid), ask: toPrice(ask) },
    last: toPrice(last),
    taken: (taken ?? []).map(([side, level, epoch, amount]) => ({
      side,
      price: price(BigInt(level)),
      epoch,
      shares: BigInt(amount),
    })),
  };
}

function toPrice(text: Decimal): Price | null {
  return text === null ? null : price(BigInt(text));
}
