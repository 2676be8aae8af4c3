import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { selectPositions, upsertPositions } from "@/lib/db/queries/positions";
import { spendAllowances } from "@/lib/db/queries/wallets";
import type { FillInsert, OrderRow, PositionRow } from "@/lib/db/rows";
import { fills, houseTaken, markets, orderEvents, orders } from "@/lib/db/schema/trading";
import { applyBuy, applySell, EMPTY_HOLDING } from "@/lib/domain/position";
import { postTransfers } from "@/lib/ledger/transfers";
import { liquidityEpoch } from "@/lib/venue/paper/liquidity/simulated";
import type { Round } from "@/lib/venue/paper/round";

/**
 * Writes a round, in the transaction that holds the market's lock.
 *
 * @param locked the user accounts that were locked before the round was decided on.
 */
export async function commitRound(
  tx: Tx,
  round: Round,
  locked: ReadonlyMap<string, bigint>,
): Promise<void> {
  await insertOrders(
    tx,
    [...round.createdIds].map((id) => round.order(id)),
  );
  await updateOrders(
    tx,
    [...round.changedIds].map((id) => round.order(id)),
  );
  if (round.fills.length > 0) await tx.insert(fills).values(round.fills);
  await postTransfers(tx, round.transfers, round.at, locked);
  await applyToPositions(tx, round.fills, round.at);
  await spendAllowances(tx, spending(round.fills));
  if (round.events.length > 0) await tx.insert(orderEvents).values(round.events);
  await rememberTaken(tx, round);
  await rememberLastPrice(tx, round);
}

async function insertOrders(tx: Tx, rows: readonly OrderRow[]): Promise<void> {
  if (rows.length === 0) return;
  // The database numbers new orders: a sequence is drawn under the market's lock.
  await tx.insert(orders).values(rows.map(({ sequence: _drawn, ...row }) => row));
}

async function updateOrders(tx: Tx, rows: readonly OrderRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(
    (row) => sql`(${row.id}::text, ${row.status}::text, ${row.filledShares.toString()}::bigint,
      ${row.filledNotional.toString()}::bigint, ${row.fee.toString()}::bigint, ${row.held.toString()}::bigint,
      ${row.updatedAt.toISOString()}::timestamptz)`,
  );
  await tx.execute(sql`
    update orders as target set status = v.status, filled_shares_micro = v.filled_shares,
      filled_notional_micro = v.filled_notional, fee_micro = v.fee, held_micro = v.held,
      updated_at = v.updated_at
    from (values ${sql.join(values, sql`, `)})
      as v (id, status, filled_shares, filled_notional, fee, held, updated_at)
    where target.id = v.id`);
}

const keyOf = (of: { userId: string; epoch: number; tokenId: string }) =>
  `${of.userId}/${of.epoch}/${of.tokenId}`;

async function applyToPositions(tx: Tx, made: readonly FillInsert[], at: Date): Promise<void> {
  const keys = new Map(made.map((fill) => [keyOf(fill), fill]));
  const rows = new Map<string, PositionRow>();
  for (const row of await selectPositions(tx, [...keys.values()])) rows.set(keyOf(row), row);
  for (const fill of made) {
    const former = rows.get(keyOf(fill)) ?? EMPTY_HOLDING;
    const apply = fill.action === "BUY" ? applyBuy : applySell;
    const { userId, epoch, tokenId, marketId } = fill;
    const holding = apply(former, fill.shares, fill.notional);
    rows.set(keyOf(fill), { userId, epoch, tokenId, marketId, ...holding, updatedAt: at });
  }
  await upsertPositions(tx, [...rows.values()]);
}

/** USDC that left each buyer through the exchange, by user. */
function spending(made: readonly FillInsert[]): Map<string, bigint> {
  const spent = new Map<string, bigint>();
  for (const fill of made) {
    if (fill.action !== "BUY") continue;
    spent.set(fill.userId, (spent.get(fill.userId) ?? 0n) + fill.notional + fill.fee);
  }
  return spent;
}

async function rememberTaken(tx: Tx, round: Round): Promise<void> {
  if (round.taken.length === 0) return;
  const epoch = liquidityEpoch(round.time.market);
  const totals = new Map<string, (typeof round.taken)[number]>();
  for (const taking of round.taken) {
    const key = `${taking.side}/${taking.price}`;
    const former = totals.get(key);
    totals.set(
      key,
      former ? { ...taking, size: (former.size + taking.size) as typeof taking.size } : taking,
    );
  }
  await tx
    .insert(houseTaken)
    .values(
      [...totals.values()].map(({ side, price, size }) => ({
        marketId: round.market.id,
        epoch,
        side,
        price,
        taken: size,
      })),
    )
    .onConflictDoUpdate({
      target: [houseTaken.marketId, houseTaken.epoch, houseTaken.side, houseTaken.price],
      set: { taken: sql`${houseTaken.taken} + excluded.taken_micro` },
    });
}

async function rememberLastPrice(tx: Tx, round: Round): Promise<void> {
  if (round.lastPrice === null) return;
  await tx
    .update(markets)
    .set({ lastPrice: round.lastPrice, lastTradeAt: round.at })
    .where(eq(markets.id, round.market.id));
}
