import "server-only";
import { sql } from "drizzle-orm";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import { ofMode } from "@/lib/db/queries/mode";
import { orders } from "@/lib/db/schema/trading";
import { bestPrice, type BookSide, type HouseLevel } from "@/lib/domain/matching";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { price } from "@/lib/units";
import { type PaperTime, readTime } from "@/lib/venue/paper/clock";
import { getPaperMarkets } from "@/lib/venue/paper/find";
import { touchMarket } from "@/lib/venue/paper/touch";
import { originOf, paperListing } from "@/lib/venue/paper/source/choose";
import { loadHouses } from "@/lib/venue/paper/source/houses";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";

const TICK_MS = 1_000;

interface LiveMarket {
  market_id: string;
  bid: string | null;
  ask: string | null;
  match_after: string | Date | null;
  expires_at: string | Date | null;
}

const isPaper = ofMode(orders.epoch, "paper");
/** The price of the order that trades first on a side, from the index that orders trade by. */
const firstOf = (side: BookSide) => sql`(select book_price_micro from orders
  where market_id = markets.id and book_side = ${sql.raw(`'${side}'`)}
    and status in ('open', 'delayed') and status = 'open' and ${isPaper}
  order by (case when book_side = 'bid' then - book_price_micro else book_price_micro end)
  limit 1)`;

// Once a second, so it looks at each market's first orders and not at all that rest there. A limit
// keeps each look by itself: together they would read every live order there is.
const LIVE_MARKETS = sql`
  select markets.id as market_id, ${firstOf("bid")} as bid, ${firstOf("ask")} as ask,
    due.match_after, due.expires_at
  from markets left join lateral (
    select min(match_after) filter (where status = 'delayed') as match_after,
      min(expires_at) as expires_at
    from orders
    where market_id = markets.id and status in ('open', 'delayed')
      and (match_after is not null or expires_at is not null) and ${isPaper}
  ) due on true
  where (select true from orders
    where market_id = markets.id and status in ('open', 'delayed') and ${isPaper} limit 1)`;

/**
 * Keeps markets moving while orders rest in them, once a second. Any number of processes may run
 * it: a touched market is locked, and touching it again changes nothing.
 *
 * @returns a function that stops it and waits for the tick under way.
 */
export function startTicker(): () => Promise<void> {
  let isBusy = false;
  let underWay: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A tick that takes long, because the venue is silent, does not leave a queue behind.
    if (isBusy) return;
    isBusy = true;
    underWay = tick()
      .catch(reportFailure)
      .finally(() => {
        isBusy = false;
      });
  }, TICK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Touches every market in which something has become due. Returns how many those were. */
export async function tick(): Promise<number> {
  const db = await getDb();
  const time = readTime();
  const live = await selectRows<LiveMarket>(db, LIVE_MARKETS);
  const markets = await getPaperMarkets(live.map((row) => row.market_id));
  await refreshQuietly([...markets.values()]);
  const houses = await loadHouses(db, [...markets.values()], time.market);
  let touched = 0;
  for (const row of live) {
    const market = markets.get(row.market_id);
    if (!market || !isDue(row, market, houses.get(market.id), time)) continue;
    if (await touchByItself(market)) touched += 1;
  }
  return touched;
}

/** One market that cannot be touched now, whose lock somebody holds, does not hold up the others. */
async function touchByItself(market: ExchangeMarket): Promise<boolean> {
  try {
    await withTransaction((tx) => touchMarket(tx, market));
    return true;
  } catch (error) {
    log.error("market not touched", { marketId: market.id, ...errorFields(error) });
    return false;
  }
}

function isDue(
  row: LiveMarket,
  market: ExchangeMarket,
  house: readonly HouseLevel[] | undefined,
  time: PaperTime,
): boolean {
  if (originOf(market).hasEnded(time.market)) return true;
  if (isPast(row.expires_at, time)) return true;
  if (house === undefined) return false;
  if (isPast(row.match_after, time)) return true;
  const quotes = { orders: [], house };
  const houseAsk = bestPrice(quotes, "ask");
  const houseBid = bestPrice(quotes, "bid");
  return (
    (row.bid !== null && houseAsk !== null && price(BigInt(row.bid)) >= houseAsk) ||
    (row.ask !== null && houseBid !== null && price(BigInt(row.ask)) <= houseBid)
  );
}

function isPast(at: string | Date | null, time: PaperTime): boolean {
  return at !== null && new Date(at).getTime() <= time.now;
}

/** Without fresh quotes nothing fills, but what expires or has ended still does so. */
async function refreshQuietly(markets: readonly ExchangeMarket[]): Promise<void> {
  try {
    await paperListing().refresh(markets, TICK_MS);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function reportFailure(error: unknown): void {
  log.error("market tick failed", errorFields(error));
}
