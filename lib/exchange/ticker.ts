import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { withMarketTransaction } from "@/lib/db/market-transaction";
import { NoTurn, Patience } from "@/lib/db/turns";
import { isLockTimeout } from "@/lib/db/errors";
import { ofMode } from "@/lib/db/queries/mode";
import { orders } from "@/lib/db/schema/trading";
import { bestPrice, type BookSide, type HouseLevel } from "@/lib/domain/matching";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import { price } from "@/lib/units";
import { type PaperTime, readTime } from "@/lib/exchange/clock";
import { getMarketData, getMarketListing } from "@/lib/exchange/choose-source";
import { getPaperMarkets } from "@/lib/exchange/find-market";
import { loadHouseQuotes } from "@/lib/exchange/remaining-house-quotes";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { repeatSlices, settleDue } from "@/lib/exchange/settle-due";

const TICK_MS = 1_000;

/** Maximum wait for a market's lock. A busy market is left to the next tick. */
const LOCK_WAIT_MS = 250;
/** Maximum number of slices of one market per tick. */
const MAX_SLICES = 25;

interface LiveMarket {
  market_id: string;
  bid: string | null;
  ask: string | null;
  has_expired: boolean;
  has_delayed: boolean;
}

const isPaper = ofMode(orders.epoch, "paper");
/** Selects the price of the order that trades first on a side, from the index of the trading order. */
const selectFirst = (side: BookSide) => sql`(select book_price_micro from orders
  where market_id = markets.id and book_side = ${sql.raw(`'${side}'`)}
    and status in ('open', 'delayed') and status = 'open' and ${isPaper}
  order by (case when book_side = 'bid' then - book_price_micro else book_price_micro end)
  limit 1)`;

/** Whether a due order meets a condition, from the index over due orders. */
const hasDue = (condition: SQL, at: SQL) => sql`exists (select from orders
  where market_id = markets.id and status in ('open', 'delayed')
    and (match_after is not null or expires_at is not null)
    and least(match_after, expires_at) <= ${at} and ${condition} and ${isPaper})`;

// Runs once a second, so it reads only the first orders of each market. The limits keep Postgres from
// merging the subqueries into a scan of all live orders.
const selectLiveMarkets = (at: SQL) => sql`
  select markets.id as market_id, ${selectFirst("bid")} as bid, ${selectFirst("ask")} as ask,
    ${hasDue(sql`expires_at <= ${at}`, at)} as has_expired,
    ${hasDue(sql`status = 'delayed' and match_after <= ${at}`, at)} as has_delayed
  from markets
  where (select true from orders
    where market_id = markets.id and status in ('open', 'delayed') and ${isPaper} limit 1)`;

/**
 * Settles due orders of all markets once a second. Any number of processes can run it: settling
 * locks the market, and settling it again changes nothing.
 *
 * @returns a function that stops the ticker and waits for the current tick.
 */
export function startTicker(): StopJob {
  return startJob({ name: "market tick", everyMs: TICK_MS }, tick);
}

/** Settles the markets with due orders. Returns the number of settled markets. */
export async function tick(): Promise<number> {
  const db = await getDb();
  const time = readTime();
  const at = sql`${new Date(time.now).toISOString()}::timestamptz`;
  const live = await selectRows<LiveMarket>(db, selectLiveMarkets(at));
  const markets = await getPaperMarkets(live.map((row) => row.market_id));
  await refreshIfPossible([...markets.values()]);
  const houseQuotes = await loadHouseQuotes(db, [...markets.values()], time.market);
  let settled = 0;
  for (const row of live) {
    const market = markets.get(row.market_id);
    if (!market || !isDue(row, market, houseQuotes.get(market.id), time)) continue;
    if (await settleMarket(market)) settled += 1;
  }
  return settled;
}

/** Settles one market. Returns false, and leaves it to the next tick, if it is busy or fails. */
async function settleMarket(market: ExchangeMarket): Promise<boolean> {
  try {
    const settle = (tx: Tx) => settleDue(tx, market);
    await repeatSlices(
      () => withMarketTransaction(market.id, settle, new Patience(LOCK_WAIT_MS)),
      MAX_SLICES,
    );
    return true;
  } catch (error) {
    // The transaction that has the lock settles due orders, or the next tick does.
    if (error instanceof NoTurn || isLockTimeout(error)) return false;
    log.error("market not settled", { marketId: market.id, ...errorFields(error) });
    return false;
  }
}

function isDue(
  row: LiveMarket,
  market: ExchangeMarket,
  house: readonly HouseLevel[] | undefined,
  time: PaperTime,
): boolean {
  if (getMarketData(market).hasEnded(time.market)) return true;
  if (row.has_expired) return true;
  if (house === undefined) return false;
  if (row.has_delayed) return true;
  const quotes = { orders: [], house };
  const houseAsk = bestPrice(quotes, "ask");
  const houseBid = bestPrice(quotes, "bid");
  return (
    (row.bid !== null && houseAsk !== null && price(BigInt(row.bid)) >= houseAsk) ||
    (row.ask !== null && houseBid !== null && price(BigInt(row.ask)) <= houseBid)
  );
}

/** Without fresh quotes, orders don't fill, but they still expire and are canceled at the close. */
async function refreshIfPossible(markets: readonly ExchangeMarket[]): Promise<void> {
  try {
    await getMarketListing().refresh(markets, TICK_MS);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
