import "server-only";
import { takeTurns } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { withMarketTransaction } from "@/lib/db/market-transaction";
import type { Patience } from "@/lib/db/turns";
import type { OrderRow } from "@/lib/db/rows";
import { toBookPrice } from "@/lib/domain/settlement";
import { applyDelayed, applyDue, hasBacklog } from "@/lib/exchange/apply-orders";
import { getMarketData } from "@/lib/exchange/choose-source";
import { type PaperTime, readTime } from "@/lib/exchange/clock";
import { commitUpdate } from "@/lib/exchange/commit-update";
import {
  loadLiveOrders,
  loadMarket,
  lockAndLoadMarket,
  lockNewMarket,
  lockStatement,
  type LoadedMarket,
  type LoadOptions,
  type PriceBound,
} from "@/lib/exchange/load-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { MarketUpdate, NO_BOOK } from "@/lib/exchange/market-update";

/**
 * Maximum number of orders that one transaction expires, fills or cancels, unless they meet a single
 * taker. Other requests run between two transactions.
 */
export const SLICE = 200;
/** When the loaded orders do not suffice, the next load has this many times as many. */
export const DEPTH_FACTOR = 16;

/** More orders of a market are due than one transaction settles. `withSettledMarket` handles it. */
export class DueBacklog extends Error {}

/** A locked market whose due orders are applied, but not written. */
interface OpenUpdate {
  time: PaperTime;
  update: MarketUpdate;
  loaded: LoadedMarket;
}

/** Locks a market and applies due orders. Returns null if the market has ended. */
export async function openUpdate(
  tx: Tx,
  market: ExchangeMarket,
  { requested }: Pick<LoadOptions, "requested">,
): Promise<OpenUpdate | null> {
  const options = { ...(requested && { requested }), depth: SLICE };
  const lock = lockStatement(market);
  const { lockRows, loadedAt } = await lockAndLoadMarket(tx, market, { lock, options });
  const isLocked = lockRows.length === 1;
  if (!isLocked) await lockNewMarket(tx, market);
  const time = readTime();
  if (getMarketData(market).hasEnded(time.market)) return null;
  const early = isLocked ? loadedAt(time) : null;
  const loaded = early ?? (await loadMarket(tx, market, time, options));
  const update = new MarketUpdate(market, time, loaded);
  applyDue(update, loaded);
  return { time, update, loaded };
}

/**
 * Settles up to one slice of due orders: resting orders that house quotes reached, expired orders,
 * delayed orders. If the market has ended, cancels its live orders.
 *
 * @returns whether more orders may be due.
 */
export async function settleDue(tx: Tx, market: ExchangeMarket): Promise<boolean> {
  const open = await openUpdate(tx, market, {});
  if (!open) return cancelLiveOrders(tx, market, {});
  const { time, update, loaded } = open;
  const isMore = hasBacklog(update, loaded);
  if (loaded.due.length === 0 || (isMore && !update.isEmpty)) {
    if (!update.isEmpty) await commitUpdate(tx, update);
    return isMore;
  }
  return matchDelayed(tx, { market, time }, loaded.due);
}

/** Matches delayed orders. Loads as much of the book as the first of them needs. */
async function matchDelayed(
  tx: Tx,
  { market, time }: { market: ExchangeMarket; time: PaperTime },
  due: readonly OrderRow[],
): Promise<boolean> {
  for (let depth = SLICE; ; depth *= DEPTH_FACTOR) {
    const loaded = await loadMarket(tx, market, time, { takers: due.map(toPriceBound), depth });
    const update = new MarketUpdate(market, time, loaded);
    applyDue(update, loaded);
    const matched = applyDelayed(update, loaded.due);
    if (matched === 0) continue;
    await commitUpdate(tx, update);
    return matched < loaded.due.length || loaded.hasMoreDue;
  }
}

function toPriceBound({ bookSide: side, outcome, price }: OrderRow): PriceBound {
  return { side, limit: price === null ? null : toBookPrice(outcome, price) };
}

/**
 * Cancels up to one slice of live orders of a closed market, optionally only of one user. The caller
 * has locked the market.
 *
 * @returns whether more live orders may remain.
 */
export async function cancelLiveOrders(
  tx: Tx,
  market: ExchangeMarket,
  { userId }: { userId?: string },
): Promise<boolean> {
  const rows = await loadLiveOrders(tx, market, { ...(userId && { userId }), limit: SLICE });
  const update = new MarketUpdate(market, readTime(), { ...NO_BOOK, rows });
  for (const { id } of rows) closeOrder(update, id);
  if (!update.isEmpty) await commitUpdate(tx, update);
  return rows.length === SLICE;
}

export function closeOrder(update: MarketUpdate, id: string): void {
  update.move(id, "canceled", "canceled", { reason: "market_closed" });
}

/**
 * Runs a transaction in a market. When it throws `DueBacklog`, settles the backlog and retries.
 *
 * @param first how long the first attempt may wait for the market.
 */
export async function withSettledMarket<T>(
  market: ExchangeMarket,
  work: (tx: Tx) => Promise<T>,
  first?: Patience,
): Promise<T> {
  for (let patience = first; ; patience = undefined) {
    try {
      return await withMarketTransaction(market.id, work, patience);
    } catch (error) {
      if (!(error instanceof DueBacklog)) throw error;
    }
    await repeatSlices(() => withMarketTransaction(market.id, (tx) => settleDue(tx, market)));
  }
}

/** Runs a slice until it returns false, at most `limit` times. Other requests run in between. */
export async function repeatSlices(slice: () => Promise<boolean>, limit = Infinity): Promise<void> {
  for (let done = 0; done < limit; done += 1) {
    if (!(await slice())) return;
    await takeTurns();
  }
}
