import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, isOneOf, toJsonRows, combineWrites } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { buildPositionWrites, selectPositions } from "@/lib/db/queries/positions";
import { buildAllowanceWrites } from "@/lib/db/queries/wallets";
import type { FillInsert, OrderRow, PositionRow } from "@/lib/db/rows";
import { buildOrderEventInsert } from "@/lib/db/queries/order-events";
import { fills, houseTaken, orders } from "@/lib/db/schema/trading";
import { deferStatement } from "@/lib/db/pipeline";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding } from "@/lib/domain/position";
import { draftPositionEvent } from "@/lib/ledger/account-log";
import { buildPosting, type RequiredBalance } from "@/lib/ledger/transfers";
import { shares } from "@/lib/units";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { MarketUpdate } from "@/lib/exchange/market-update";

interface CommitOptions {
  /** The balance that the order's owner was seen to have. */
  requiredBalance: RequiredBalance | null;
  /** Holdings that were loaded under the market's lock, by `createHoldingKey`; null for none. */
  holdings: ReadonlyMap<string, Holding | null>;
  /** Id of a buyer whose allowance is unlimited, so that spending does not lower it. */
  unlimitedUserId: string | null;
  /** Further statements to run with the update. */
  statements: readonly SQL[];
}

export const NO_OPTIONS: CommitOptions = {
  requiredBalance: null,
  holdings: new Map(),
  unlimitedUserId: null,
  statements: [],
};

/**
 * Writes an update in one statement, in the transaction that holds the market's lock. The statement
 * is deferred: it is sent with the transaction's next statement or its commit, which fails with it.
 */
export async function commitUpdate(
  tx: Tx,
  update: MarketUpdate,
  { requiredBalance, holdings, unlimitedUserId, statements }: CommitOptions = NO_OPTIONS,
): Promise<void> {
  const positions = await computePositions(tx, update, holdings);
  const events = [
    ...update.listAccountEvents(),
    ...positions.map((row) => draftPositionEvent(row, update.findCause(row.userId))),
  ];
  const created = [...update.createdIds].map((id) => update.getOrder(id));
  const changed = [...update.changedIds].map((id) => update.getOrder(id));
  const write = combineWrites([
    // The database assigns the sequence of new orders under the market's lock.
    ...(created.length > 0 ? [insertRows(orders, created)] : []),
    ...updateOrders(changed),
    ...(update.fills.length > 0 ? [insertRows(fills, update.fills)] : []),
    ...buildPosting({ transfers: update.transfers, events }, update.at, {
      required: requiredBalance,
    }),
    ...buildPositionWrites(positions),
    ...buildAllowanceWrites(sumSpending(update.fills, unlimitedUserId)),
    ...(update.events.length > 0 ? [buildOrderEventInsert(update.events)] : []),
    ...writeTaken(update),
    ...writeLastPrice(update),
    ...statements,
  ]);
  await deferStatement(tx, write);
}

function updateOrders(rows: readonly OrderRow[]): SQL[] {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const values = rows.map(
    ({ id, status, filledShares, filledNotional, fee, held, matchAfter, updatedAt }) => ({
      id,
      status,
      filled_shares: filledShares,
      filled_notional: filledNotional,
      fee,
      held,
      match_after: matchAfter,
      updated_at: updatedAt,
    }),
  );
  return [
    sql`update orders as target set status = v.status, filled_shares_micro = v.filled_shares,
        filled_notional_micro = v.filled_notional, fee_micro = v.fee, held_micro = v.held,
        match_after = v.match_after, updated_at = v.updated_at
      from json_to_recordset(${toJsonRows(values)}::text::json) as v (id text, status text,
        filled_shares bigint, filled_notional bigint, fee bigint, held bigint,
        match_after timestamptz, updated_at timestamptz)
      where target.id = v.id and ${isOneOf(sql`target.id`, ids)}`,
  ];
}

/** Returns the key of a user's holding of a token. */
export const createHoldingKey = (holding: { userId: string; epoch: number; tokenId: string }) =>
  `${holding.userId}/${holding.epoch}/${holding.tokenId}`;

/** Returns the positions that the fills changed, after the change. */
async function computePositions(
  tx: Tx,
  { fills: newFills, at }: MarketUpdate,
  known: ReadonlyMap<string, Holding | null>,
): Promise<PositionRow[]> {
  const holdings = new Map<string, Holding | null>(known);
  const missing = new Map(newFills.map((fill) => [createHoldingKey(fill), fill]));
  for (const key of known.keys()) missing.delete(key);
  for (const row of await selectPositions(tx, [...missing.values()]))
    holdings.set(createHoldingKey(row), row);
  const rows = new Map<string, PositionRow>();
  for (const fill of newFills) {
    const key = createHoldingKey(fill);
    const previous = holdings.get(key) ?? EMPTY_HOLDING;
    const apply = fill.action === "BUY" ? applyBuy : applySell;
    const holding = apply(previous, fill.shares, fill.notional);
    const { userId, epoch, tokenId, marketId } = fill;
    holdings.set(key, holding);
    const { shares: held, cost, realizedPnl } = holding;
    rows.set(key, {
      userId,
      epoch,
      tokenId,
      marketId,
      shares: held,
      cost,
      realizedPnl,
      updatedAt: at,
    });
  }
  return [...rows.values()];
}

/** Sums the USDC that each buyer with a limited allowance spent, by user id. */
function sumSpending(
  newFills: readonly FillInsert[],
  unlimitedUserId: string | null,
): Map<string, bigint> {
  const spent = new Map<string, bigint>();
  for (const fill of newFills) {
    if (fill.action !== "BUY" || fill.userId === unlimitedUserId) continue;
    spent.set(fill.userId, (spent.get(fill.userId) ?? 0n) + fill.notional + fill.fee);
  }
  return spent;
}

function writeTaken({ taken, market, time }: MarketUpdate): SQL[] {
  if (taken.length === 0) return [];
  const epoch = getMarketData(market).getTakenEpoch(time.market);
  const totals = new Map<string, typeof houseTaken.$inferInsert>();
  for (const { side, price, size } of taken) {
    const key = `${side}/${price}`;
    const previous = totals.get(key)?.taken ?? 0n;
    const sum = shares(previous + size);
    totals.set(key, { marketId: market.id, epoch, side, price, taken: sum });
  }
  return [
    sql`${insertRows(houseTaken, [...totals.values()])}
      on conflict (market_id, epoch, side, price_micro)
      do update set taken_micro = house_taken.taken_micro + excluded.taken_micro`,
  ];
}

function writeLastPrice({ lastPrice, at, market }: MarketUpdate): SQL[] {
  if (lastPrice === null) return [];
  return [
    sql`update markets set last_price_micro = ${lastPrice.toString()}::bigint,
        last_trade_at = ${at.toISOString()}::timestamptz
      where id = ${market.id}::text`,
  ];
}
