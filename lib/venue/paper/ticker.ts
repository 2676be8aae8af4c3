import "server-only";
import { inArray, sql } from "drizzle-orm";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import { ofMode } from "@/lib/db/queries/mode";
import { orders } from "@/lib/db/schema/trading";
import { LIVE_STATUSES } from "@/lib/domain/order-status";
import { bestPrice, type HouseLevel } from "@/lib/domain/matching";
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
  const live = await selectRows<LiveMarket>(
    db,
    sql`select market_id,
          max(book_price_micro) filter (where status = 'open' and book_side = 'bid') as bid,
          min(book_price_micro) filter (where status = 'open' and book_side = 'ask') as ask,
          min(match_after) filter (where status = 'delayed') as match_after,
          min(expires_at) as expires_at
        from orders
        where ${inArray(orders.status, [...LIVE_STATUSES])} and ${ofMode(orders.epoch, "paper")}
        group by market_id`,
  );
  const markets = await getPaperMarkets(live.map((row) => row.market_id));
  await refreshQuietly([...markets.values()]);
  const houses = await loadHouses(db, [...markets.values()], time.market);
  let touched = 0;
  for (const row of live) {
    const market = markets.get(row.market_id);
    if (!market || !isDue(row, market, houses.get(market.id), time)) continue;
    await withTransaction((tx) => touchMarket(tx, market));
    touched += 1;
  }
  return touched;
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
