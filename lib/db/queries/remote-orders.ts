import "server-only";
import { and, asc, eq, gt, inArray, lte, notInArray, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { toMarketRow } from "@/lib/db/queries/market-row";
import type { FillInsert, FillRow, OrderEventInsert, OrderRow } from "@/lib/db/rows";
import { fillSettlements, reconciliations, remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, idempotencyKeys, markets, orderEvents, orders } from "@/lib/db/schema/trading";
import { type OrderStatus, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { assert } from "@/lib/errors";
import type { Market } from "@/lib/venue/port";

export type RemoteOrderRow = typeof remoteOrders.$inferSelect;
export type SettlementRow = typeof fillSettlements.$inferSelect;

export interface RemoteOrder {
  order: OrderRow;
  remote: RemoteOrderRow;
}

/** A fill of a remote order and how far it has come. */
export interface SettledFill {
  fill: FillRow;
  settlement: SettlementRow;
}

/** Writes a market down as it was when it was first traded. */
export async function insertRemoteMarket(tx: Tx, market: Market): Promise<void> {
  await tx.insert(markets).values(toMarketRow(market)).onConflictDoNothing();
}

export async function insertRemoteOrder(tx: Tx, { order, remote }: RemoteOrder): Promise<void> {
  const { sequence: _drawn, ...row } = order;
  await tx.insert(orders).values(row);
  await tx.insert(remoteOrders).values(remote);
}

export async function selectRemoteOrder(tx: Tx, orderId: string): Promise<RemoteOrder | null> {
  const [row] = await tx
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(eq(remoteOrders.orderId, orderId));
  return row ?? null;
}

/** The order under a lock, with its fills and the market's fee rate. */
export async function lockRemoteOrder(
  tx: Tx,
  orderId: string,
): Promise<RemoteOrder & { fills: SettledFill[]; feeRate: bigint }> {
  const [row] = await tx
    .select({ order: orders, remote: remoteOrders, feeRate: markets.feeRate })
    .from(orders)
    .innerJoin(remoteOrders, eq(remoteOrders.orderId, orders.id))
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(eq(orders.id, orderId))
    .for("update", { of: [orders, remoteOrders] });
  assert(row, `order ${orderId} was sent to a remote venue`);
  const made = await tx
    .select({ fill: fills, settlement: fillSettlements })
    .from(fills)
    .innerJoin(fillSettlements, eq(fillSettlements.fillId, fills.id))
    .where(eq(fills.orderId, orderId))
    .orderBy(asc(fills.sequence));
  return { ...row, fills: made };
}

/** Writes what became of an order; the caller holds its lock. */
export async function updateRemoteOrder(
  tx: Tx,
  order: OrderRow,
  remote: Partial<RemoteOrderRow>,
): Promise<void> {
  const { status, filledShares, filledNotional, fee, held, updatedAt } = order;
  await tx
    .update(orders)
    .set({ status, filledShares, filledNotional, fee, held, updatedAt })
    .where(eq(orders.id, order.id));
  if (Object.keys(remote).length === 0) return;
  await tx.update(remoteOrders).set(remote).where(eq(remoteOrders.orderId, order.id));
}

export async function insertOrderEvents(
  tx: Tx,
  events: readonly OrderEventInsert[],
): Promise<void> {
  if (events.length > 0) await tx.insert(orderEvents).values([...events]);
}

export async function insertRemoteFills(
  tx: Tx,
  made: readonly { fill: FillInsert; settlement: SettlementRow }[],
): Promise<void> {
  if (made.length === 0) return;
  await tx.insert(fills).values(made.map(({ fill }) => fill));
  await tx.insert(fillSettlements).values(made.map(({ settlement }) => settlement));
}

export async function updateSettlements(tx: Tx, rows: readonly SettlementRow[]): Promise<void> {
  for (const { fillId, status, transactionHash, updatedAt } of rows) {
    await tx
      .update(fillSettlements)
      .set({ status, transactionHash, updatedAt })
      .where(eq(fillSettlements.fillId, fillId));
  }
}

/** Keeps an order's answer with its claim, unless it was answered before. */
export async function storeRemoteAnswer(
  tx: Tx,
  { userId, keyHash }: { userId: string; keyHash: string },
  answer: { status: number; body: string },
): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set(answer)
    .where(
      and(
        eq(idempotencyKeys.userId, userId),
        eq(idempotencyKeys.keyHash, keyHash),
        sql`${idempotencyKeys.body} is null`,
      ),
    );
}

/** A user's orders whose end is not known, and abandoned ones that may still appear. */
export function selectWatchedOrders(
  tx: Tx,
  userId: string,
  abandonedSince: Date,
): Promise<RemoteOrder[]> {
  return tx
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(
      and(
        eq(remoteOrders.userId, userId),
        or(
          inArray(orders.status, [...UNSETTLED_STATUSES]),
          and(eq(orders.status, "abandoned"), gt(orders.createdAt, abandonedSince)),
        ),
      ),
    )
    .orderBy(asc(remoteOrders.createdAt));
}

/** A user's orders by the venue's ids. */
export function selectOrdersByVenueId(
  tx: Tx,
  userId: string,
  venueOrderIds: readonly string[],
): Promise<RemoteOrder[]> {
  if (venueOrderIds.length === 0) return Promise.resolve([]);
  return tx
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(
      and(eq(remoteOrders.userId, userId), inArray(remoteOrders.venueOrderId, [...venueOrderIds])),
    );
}

/** Fills that the chain may still undo. */
export function selectOpenSettlements(
  tx: Tx,
  userId: string,
): Promise<{ tradeId: string; orderId: string }[]> {
  return tx
    .select({ tradeId: fillSettlements.tradeId, orderId: fills.orderId })
    .from(fillSettlements)
    .innerJoin(fills, eq(fills.id, fillSettlements.fillId))
    .where(
      and(
        eq(fillSettlements.userId, userId),
        inArray(fillSettlements.status, ["matched", "mined"]),
      ),
    );
}

/** How far back orders that are over are still looked at. */
export interface WatchedSince {
  abandoned: Date;
  /** Trades of an order that ended may be listed a little later. */
  ended: Date;
}

/** Users with something that only the venue can tell the end of, or that has just ended. */
export async function selectUnsettledUsers(tx: Tx, since: WatchedSince): Promise<string[]> {
  const waiting = await tx
    .selectDistinct({ userId: remoteOrders.userId })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(
      or(
        inArray(orders.status, [...UNSETTLED_STATUSES]),
        and(eq(orders.status, "abandoned"), gt(orders.createdAt, since.abandoned)),
        and(inArray(orders.status, ["canceled", "filled"]), gt(orders.updatedAt, since.ended)),
      ),
    );
  const settling = await tx
    .selectDistinct({ userId: fillSettlements.userId })
    .from(fillSettlements)
    .where(notInArray(fillSettlements.status, ["confirmed", "failed"]));
  return [...new Set([...waiting, ...settling].map(({ userId }) => userId))].toSorted();
}

export interface ReconciliationLease {
  /** Trades up to here were seen before. */
  tradesUntil: Date;
  failures: number;
}

/** Takes an account for comparison until `until`; null while somebody else has it. */
export async function leaseReconciliation(
  tx: Tx,
  userId: string,
  { at, until }: { at: Date; until: Date },
): Promise<ReconciliationLease | null> {
  const [row] = await tx
    .insert(reconciliations)
    .values({ userId, leasedUntil: until, tradesUntil: new Date(0) })
    .onConflictDoUpdate({
      target: reconciliations.userId,
      set: { leasedUntil: until },
      setWhere: lte(reconciliations.leasedUntil, at),
    })
    .returning({ tradesUntil: reconciliations.tradesUntil, failures: reconciliations.failures });
  return row ?? null;
}

export async function updateReconciliation(
  tx: Tx,
  userId: string,
  change: Partial<typeof reconciliations.$inferInsert>,
): Promise<void> {
  await tx.update(reconciliations).set(change).where(eq(reconciliations.userId, userId));
}

/** How many orders are in a state that only the venue can end, and since when the oldest is. */
export async function countByStatus(
  tx: Tx,
  statuses: readonly OrderStatus[],
): Promise<{ status: OrderStatus; count: number; oldest: Date }[]> {
  return tx
    .select({
      status: orders.status,
      count: sql<number>`count(*)::int`,
      oldest: sql<Date>`min(${orders.createdAt})`.mapWith(orders.createdAt),
    })
    .from(orders)
    .innerJoin(remoteOrders, eq(remoteOrders.orderId, orders.id))
    .where(inArray(orders.status, [...statuses]))
    .groupBy(orders.status);
}
