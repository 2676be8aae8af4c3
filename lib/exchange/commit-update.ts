import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, isOneOf, toJsonRows, combineWrites } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { buildPositionWrites, selectPositions } from "@/lib/db/queries/positions";
import { buildAllowanceWrites } from "@/lib/db/queries/wallets";
import type { OrderRow, PositionRow } from "@/lib/db/rows";
import { buildOrderEventInsert } from "@/lib/db/queries/order-events";
import { fills, houseTaken, orders } from "@/lib/db/schema/trading";
import { deferStatement } from "@/lib/db/pipeline";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding } from "@/lib/domain/position";
import { draftPositionEvent, type EventDraft } from "@/lib/ledger/account-log";
import { buildPosting, type RequiredBalance } from "@/lib/ledger/transfers";
import { assert } from "@/lib/errors";
import { shares } from "@/lib/units";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { MarketUpdate } from "@/lib/exchange/market-update";

/** The owner of a new order, as read under the market's lock. */
export interface SeenOwner {
  /** The balance that the order's owner was seen to have. */
  requiredBalance: RequiredBalance | null;
  /** Holdings that were loaded under the market's lock, by `createHoldingKey`; null for none. */
  holdings: ReadonlyMap<string, Holding | null>;
  /** Id of a buyer whose allowance is unlimited, so that spending does not lower it. */
  unlimitedUserId: string | null;
}

/** The update of one market, and the owner of its new order. */
export interface MarketChange {
  update: MarketUpdate;
  owner: SeenOwner;
}

export const NO_OWNER: SeenOwner = {
  requiredBalance: null,
  holdings: new Map(),
  unlimitedUserId: null,
};

/** Writes the update of one market, which has no new order. */
export async function commitUpdate(
  tx: Tx,
  update: MarketUpdate,
  statements: readonly SQL[] = [],
): Promise<void> {
  await commitChanges(tx, [{ update, owner: NO_OWNER }], statements);
}

/**
 * Writes updates of different markets in one statement, in the transaction that holds the markets' locks.
 * Updates of several markets have one time. The statement is deferred: it is sent with the transaction's
 * next statement or its commit, which fails with it.
 *
 * @param statements further statements to run with the updates.
 */
export async function commitChanges(
  tx: Tx,
  changes: readonly MarketChange[],
  statements: readonly SQL[],
): Promise<void> {
  const updates = changes.map(({ update }) => update);
  const [first] = updates;
  assert(first, "there is an update to write");
  const positions: PositionRow[] = [];
  const events: EventDraft[] = [];
  for (const { update, owner } of changes) {
    const changed = await computePositions(tx, update, owner.holdings);
    positions.push(...changed);
    events.push(
      ...update.listAccountEvents(),
      ...changed.map((row) => draftPositionEvent(row, update.findCause(row.userId))),
    );
  }
  const created = updates.flatMap((update) =>
    [...update.createdIds].map((id) => update.getOrder(id)),
  );
  const changed = updates.flatMap((update) =>
    [...update.changedIds].map((id) => update.getOrder(id)),
  );
  const newFills = updates.flatMap((update) => update.fills);
  const orderEvents = updates.flatMap((update) => update.events);
  const transfers = updates.flatMap((update) => update.transfers);
  const required = changes.flatMap(({ owner }) => owner.requiredBalance ?? []);
  const write = combineWrites([
    // The database assigns the sequence of new orders under the markets' locks.
    ...(created.length > 0 ? [insertRows(orders, created)] : []),
    ...updateOrders(changed),
    ...(newFills.length > 0 ? [insertRows(fills, newFills)] : []),
    ...buildPosting({ transfers, events }, first.at, { required }),
    ...buildPositionWrites(positions),
    ...buildAllowanceWrites(sumSpending(changes)),
    ...(orderEvents.length > 0 ? [buildOrderEventInsert(orderEvents)] : []),
    ...writeTaken(updates),
    ...writeLastPrices(updates),
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
function sumSpending(changes: readonly MarketChange[]): Map<string, bigint> {
  const unlimited = new Set(changes.map(({ owner }) => owner.unlimitedUserId));
  const spent = new Map<string, bigint>();
  for (const fill of changes.flatMap(({ update }) => update.fills)) {
    if (fill.action !== "BUY" || unlimited.has(fill.userId)) continue;
    spent.set(fill.userId, (spent.get(fill.userId) ?? 0n) + fill.notional + fill.fee);
  }
  return spent;
}

function writeTaken(updates: readonly MarketUpdate[]): SQL[] {
  const totals = new Map<string, typeof houseTaken.$inferInsert>();
  for (const { taken, market, time } of updates) {
    for (const { side, price, size } of taken) {
      const key = `${market.id}/${side}/${price}`;
      const epoch = getMarketData(market).getTakenEpoch(time.market);
      const previous = totals.get(key)?.taken ?? 0n;
      const sum = shares(previous + size);
      totals.set(key, { marketId: market.id, epoch, side, price, taken: sum });
    }
  }
  if (totals.size === 0) return [];
  return [
    sql`${insertRows(houseTaken, [...totals.values()])}
      on conflict (market_id, epoch, side, price_micro)
      do update set taken_micro = house_taken.taken_micro + excluded.taken_micro`,
  ];
}

function writeLastPrices(updates: readonly MarketUpdate[]): SQL[] {
  const traded = updates.filter(({ lastPrice }) => lastPrice !== null);
  if (traded.length === 0) return [];
  const rows = traded.map(({ market, lastPrice, at }) => ({ id: market.id, price: lastPrice, at }));
  return [
    sql`update markets set last_price_micro = traded.price, last_trade_at = traded.at
      from json_to_recordset(${toJsonRows(rows)}::text::json)
        as traded (id text, price bigint, at timestamptz)
      where markets.id = traded.id and ${isOneOf(
        sql`markets.id`,
        rows.map(({ id }) => id),
      )}`,
  ];
}
