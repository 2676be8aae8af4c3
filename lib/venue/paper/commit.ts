import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, jsonOf, textArray, together } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { positionWrites, selectPositions } from "@/lib/db/queries/positions";
import { allowanceWrites } from "@/lib/db/queries/wallets";
import type { FillInsert, OrderRow, PositionRow } from "@/lib/db/rows";
import { fills, houseTaken, orderEvents, orders } from "@/lib/db/schema/trading";
import { runLater } from "@/lib/db/trips";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding } from "@/lib/domain/position";
import { type Need, postingWrites } from "@/lib/ledger/postings";
import { shares } from "@/lib/units";
import type { Round } from "@/lib/venue/paper/round";
import { originOf } from "@/lib/venue/paper/source/choose";

/** What the transaction already knows of what a round's writing needs. */
interface Prepared {
  /** What the one who reserves was seen to have. */
  need: Need | null;
  /** Holdings that were read under the market's lock, by `holdingKey`; null for nothing. */
  holdings: ReadonlyMap<string, Holding | null>;
  /** Whose spending lowers no allowance: the buyer's that is known to be for good. */
  unlimited: string | null;
  /** What else is to be written with it. */
  also: readonly SQL[];
}

const NOTHING: Prepared = { need: null, holdings: new Map(), unlimited: null, also: [] };

/**
 * Writes a round in one statement, in the transaction that holds the market's lock. It is sent with
 * the transaction's next statement or its commit, which fails if this does.
 */
export async function commitRound(
  tx: Tx,
  round: Round,
  { need, holdings, unlimited, also }: Prepared = NOTHING,
): Promise<void> {
  const positions = await positionsAfter(tx, round, holdings);
  const created = [...round.createdIds].map((id) => round.order(id));
  const changed = [...round.changedIds].map((id) => round.order(id));
  const write = together([
    // The database numbers new orders: a sequence is drawn under the market's lock.
    ...(created.length > 0 ? [insertRows(orders, created)] : []),
    ...orderWrites(changed),
    ...(round.fills.length > 0 ? [insertRows(fills, round.fills)] : []),
    ...postingWrites(round.transfers, round.at, need),
    ...positionWrites(positions),
    ...allowanceWrites(spending(round.fills, unlimited)),
    ...(round.events.length > 0 ? [insertRows(orderEvents, round.events)] : []),
    ...takenWrites(round),
    ...lastPriceWrites(round),
    ...also,
  ]);
  await runLater(tx, write);
}

function orderWrites(rows: readonly OrderRow[]): SQL[] {
  if (rows.length === 0) return [];
  const values = rows.map(({ id, status, filledShares, filledNotional, fee, held, updatedAt }) => ({
    id,
    status,
    filled_shares: filledShares,
    filled_notional: filledNotional,
    fee,
    held,
    updated_at: updatedAt,
  }));
  return [
    sql`update orders as target set status = v.status, filled_shares_micro = v.filled_shares,
        filled_notional_micro = v.filled_notional, fee_micro = v.fee, held_micro = v.held,
        updated_at = v.updated_at
      from json_to_recordset(${jsonOf(values)}::text::json) as v (id text, status text,
        filled_shares bigint, filled_notional bigint, fee bigint, held bigint,
        updated_at timestamptz)
      where target.id = v.id
        and target.id = any(${textArray(rows.map(({ id }) => id))}::text::text[])`,
  ];
}

/** Names what one user holds of one token. */
export const holdingKey = (of: { userId: string; epoch: number; tokenId: string }) =>
  `${of.userId}/${of.epoch}/${of.tokenId}`;

/** The holdings that the fills changed, as they are afterwards. */
async function positionsAfter(
  tx: Tx,
  { fills: made, at }: Round,
  known: ReadonlyMap<string, Holding | null>,
): Promise<PositionRow[]> {
  const holdings = new Map<string, Holding | null>(known);
  const missing = new Map(made.map((fill) => [holdingKey(fill), fill]));
  for (const key of known.keys()) missing.delete(key);
  for (const row of await selectPositions(tx, [...missing.values()]))
    holdings.set(holdingKey(row), row);
  const rows = new Map<string, PositionRow>();
  for (const fill of made) {
    const key = holdingKey(fill);
    const former = holdings.get(key) ?? EMPTY_HOLDING;
    const apply = fill.action === "BUY" ? applyBuy : applySell;
    const holding = apply(former, fill.shares, fill.notional);
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

/** USDC that left each buyer through the exchange, by user, where it counts. */
function spending(made: readonly FillInsert[], unlimited: string | null): Map<string, bigint> {
  const spent = new Map<string, bigint>();
  for (const fill of made) {
    if (fill.action !== "BUY" || fill.userId === unlimited) continue;
    spent.set(fill.userId, (spent.get(fill.userId) ?? 0n) + fill.notional + fill.fee);
  }
  return spent;
}

function takenWrites({ taken, market, time }: Round): SQL[] {
  if (taken.length === 0) return [];
  const epoch = originOf(market).takingEpoch(time.market);
  const totals = new Map<string, typeof houseTaken.$inferInsert>();
  for (const { side, price, size } of taken) {
    const key = `${side}/${price}`;
    const former = totals.get(key)?.taken ?? 0n;
    const sum = shares(former + size);
    totals.set(key, { marketId: market.id, epoch, side, price, taken: sum });
  }
  return [
    sql`${insertRows(houseTaken, [...totals.values()])}
      on conflict (market_id, epoch, side, price_micro)
      do update set taken_micro = house_taken.taken_micro + excluded.taken_micro`,
  ];
}

function lastPriceWrites({ lastPrice, at, market }: Round): SQL[] {
  if (lastPrice === null) return [];
  return [
    sql`update markets set last_price_micro = ${lastPrice.toString()}::bigint,
        last_trade_at = ${at.toISOString()}::timestamptz
      where id = ${market.id}::text`,
  ];
}
