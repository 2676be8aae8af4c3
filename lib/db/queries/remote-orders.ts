import "server-only";
import { and, asc, eq, gt, inArray, lte, min, notInArray, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { toMarketRow } from "@/lib/db/queries/market-row";
import type { FillRow, OrderEventInsert, OrderRow } from "@/lib/db/rows";
import { liveWallets } from "@/lib/db/schema/accounts";
import { fillSettlements, reconciliations, remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, markets, orderEvents, orders } from "@/lib/db/schema/trading";
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

/** An order that was sent, or is about to be; `known` is the same while it has no fills. */
export async function selectRemoteOrder(
  tx: Tx,
  orderId: string,
): Promise<(RemoteOrder & { known: RemoteOrder | null }) | null> {
  const [row] = await tx
    .select({
      order: orders,
      remote: remoteOrders,
      hasFills: sql<boolean>`exists (select from ${fills} where ${fills.orderId} = ${orders.id})`,
    })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(eq(remoteOrders.orderId, orderId));
  if (!row) return null;
  const { order, remote, hasFills } = row;
  return { order, remote, known: hasFills ? null : { order, remote } };
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

export async function insertOrderEvents(
  tx: Tx,
  events: readonly OrderEventInsert[],
): Promise<void> {
  if (events.length > 0) await tx.insert(orderEvents).values([...events]);
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

/** Users with a wallet and something that only the venue can tell the end of, or that has just ended. */
export async function selectUnsettledUsers(tx: Tx, since: WatchedSince): Promise<string[]> {
  const waiting = await tx
    .selectDistinct({ userId: remoteOrders.userId })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .innerJoin(liveWallets, eq(liveWallets.userId, remoteOrders.userId))
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
    .innerJoin(liveWallets, eq(liveWallets.userId, fillSettlements.userId))
    .where(notInArray(fillSettlements.status, ["confirmed", "failed"]));
  return [...new Set([...waiting, ...settling].map(({ userId }) => userId))].toSorted();
}

/** When a user's first order was made; null when there is none. */
export async function selectFirstOrderAt(tx: Tx, userId: string): Promise<Date | null> {
  const [first] = await tx
    .select({ at: min(remoteOrders.createdAt) })
    .from(remoteOrders)
    .where(eq(remoteOrders.userId, userId));
  return first?.at ?? null;
}

export interface ReconciliationLease {
  /** Trades up to here were seen before. */
  tradesUntil: Date;
  failures: number;
}

/**
 * Takes an account for comparison until `until`; null while somebody else has it.
 *
 * @param at until when it may be had by somebody else at most; null takes it from whoever has it.
 */
export async function leaseReconciliation(
  tx: Tx,
  userId: string,
  { at, until }: { at: Date | null; until: Date },
): Promise<ReconciliationLease | null> {
  // Nearly every time it is somebody else's: to see that, nothing is locked and nothing written.
  if (at !== null) {
    const [taken] = await tx
      .select({ userId: reconciliations.userId })
      .from(reconciliations)
      .where(and(eq(reconciliations.userId, userId), gt(reconciliations.leasedUntil, at)));
    if (taken) return null;
  }
  const [row] = await tx
    .insert(reconciliations)
    .values({ userId, leasedUntil: until, tradesUntil: new Date(0) })
    .onConflictDoUpdate({
      target: reconciliations.userId,
      set: { leasedUntil: until },
      ...(at === null ? {} : { setWhere: lte(reconciliations.leasedUntil, at) }),
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
