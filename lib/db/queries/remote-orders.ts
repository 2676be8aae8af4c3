import "server-only";
import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { prepareOnce } from "@/lib/db/prepare-once";
import { toMarketRow, updateFeeRate } from "@/lib/db/queries/market-row";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { liveWallets } from "@/lib/db/schema/accounts";
import { fillSettlements, reconciliations, remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, markets, orders } from "@/lib/db/schema/trading";
import { type OrderStatus, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { assert } from "@/lib/errors";
import type { Market } from "@/lib/venue/port";

/** A settlement with another status cannot change any more. */
const OPEN_SETTLEMENTS = ["matched", "mined"] as const;

export type RemoteOrderRow = typeof remoteOrders.$inferSelect;
export type SettlementRow = typeof fillSettlements.$inferSelect;

export interface RemoteOrder {
  order: OrderRow;
  remote: RemoteOrderRow;
}

/** An order with the time of its reading by the database's clock, with which leases are compared. */
export interface DatedRemoteOrder extends RemoteOrder {
  /** Not later than the read. A lease may have expired since, but cannot have started before. */
  readAt: Date;
}

/** A fill of a remote order with its settlement. */
export interface SettledFill {
  fill: FillRow;
  settlement: SettlementRow;
}

/** Records a market when it is first traded. A recorded market only gets its newest fee rate. */
export async function insertRemoteMarket(tx: Tx, market: Market): Promise<void> {
  await tx.execute(updateFeeRate(market));
  await tx.insert(markets).values(toMarketRow(market)).onConflictDoNothing();
}

/** An order that was or will be sent. `known` is the same order, or null if it has fills. */
export interface SentOrder extends RemoteOrder {
  known: RemoteOrder | null;
}

const sentOrder = prepareOnce((tx) =>
  tx
    .select({
      order: orders,
      remote: remoteOrders,
      hasFills: sql<boolean>`exists (select from ${fills} where ${fills.orderId} = ${orders.id})`,
    })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(eq(remoteOrders.orderId, sql.placeholder("orderId")))
    .prepare("sent_order"),
);

/** Selects an order that was or will be sent. */
export async function selectRemoteOrder(tx: Tx, orderId: string): Promise<SentOrder | null> {
  const [row] = await sentOrder(tx).execute({ orderId });
  if (!row) return null;
  const { order, remote, hasFills } = row;
  return { order, remote, known: hasFills ? null : { order, remote } };
}

const readAt = () => sql<Date>`${databaseTime()}`.mapWith(remoteOrders.postingUntil);

/** Locks an order and returns it with its fills and its fee rate. */
export async function lockRemoteOrder(
  tx: Tx,
  orderId: string,
): Promise<DatedRemoteOrder & { fills: SettledFill[]; feeRate: bigint }> {
  const [row] = await tx
    .select({
      order: orders,
      remote: remoteOrders,
      readAt: readAt(),
      marketFeeRate: markets.feeRate,
    })
    .from(orders)
    .innerJoin(remoteOrders, eq(remoteOrders.orderId, orders.id))
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(eq(orders.id, orderId))
    .for("update", { of: [orders, remoteOrders] });
  assert(row, `order ${orderId} is a remote order`);
  const made = await tx
    .select({ fill: fills, settlement: fillSettlements })
    .from(fills)
    .innerJoin(fillSettlements, eq(fillSettlements.fillId, fills.id))
    .where(eq(fills.orderId, orderId))
    .orderBy(asc(fills.sequence));
  const { marketFeeRate, ...dated } = row;
  return { ...dated, feeRate: dated.remote.feeRate ?? marketFeeRate, fills: made };
}

/** Selects a user's unsettled orders, and abandoned ones that may still appear at the venue. */
export function selectWatchedOrders(
  tx: Tx,
  userId: string,
  abandonedSince: Date,
): Promise<DatedRemoteOrder[]> {
  return tx
    .select({ order: orders, remote: remoteOrders, readAt: readAt() })
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

/** Whether an order or settlement has an outcome that only the venue knows. Resting orders do not. */
export async function hasUnknownOutcome(tx: Tx, userId: string): Promise<boolean> {
  const unknown = sql`(${orders.status} <> 'open' or ${remoteOrders.cancelRequestedAt} is not null)`;
  const [row] = await selectRows<{ is_unknown: boolean }>(
    tx,
    sql`select exists (
        select from ${remoteOrders} join ${orders} on ${orders.id} = ${remoteOrders.orderId}
        where ${remoteOrders.userId} = ${userId}::text
          and ${inArray(orders.status, [...UNSETTLED_STATUSES])} and ${unknown}
      ) or exists (
        select from ${fillSettlements}
        where ${fillSettlements.userId} = ${userId}::text
          and ${inArray(fillSettlements.status, [...OPEN_SETTLEMENTS])}
      ) as is_unknown`,
  );
  return row?.is_unknown === true;
}

/** Selects a user's orders by the venue's ids. */
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

/** Selects the statuses of a user's orders by the venue's ids. */
export function selectStatusesByVenueId(
  tx: Tx,
  userId: string,
  venueOrderIds: readonly string[],
): Promise<{ venueOrderId: string; status: OrderStatus }[]> {
  return tx
    .select({ venueOrderId: remoteOrders.venueOrderId, status: orders.status })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(
      and(eq(remoteOrders.userId, userId), inArray(remoteOrders.venueOrderId, [...venueOrderIds])),
    );
}

/** Selects the fills whose settlement is neither confirmed nor failed. */
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
        inArray(fillSettlements.status, [...OPEN_SETTLEMENTS]),
      ),
    );
}

/** Selects the trades of an order that cannot change any more: settled, and with the venue's figures. */
export async function selectFinalTradeIds(tx: Tx, orderId: string): Promise<Set<string>> {
  const rows = await tx
    .select({ tradeId: fillSettlements.tradeId })
    .from(fillSettlements)
    .innerJoin(fills, eq(fills.id, fillSettlements.fillId))
    .where(
      and(
        eq(fills.orderId, orderId),
        inArray(fillSettlements.status, ["confirmed", "failed"]),
        isNotNull(fillSettlements.venueNotional),
      ),
    );
  return new Set(rows.map(({ tradeId }) => tradeId));
}

/** Closed orders are still reconciled if they closed after these times. */
export interface WatchedSince {
  abandoned: Date;
  /** The venue may list trades shortly after their order ended. */
  ended: Date;
}

/** Selects users with a wallet and with unsettled or recently closed orders, or open settlements. */
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
        and(
          inArray(orders.status, ["canceled", "filled", "expired", "rejected"]),
          gt(orders.updatedAt, since.ended),
        ),
      ),
    );
  const settling = await tx
    .selectDistinct({ userId: fillSettlements.userId })
    .from(fillSettlements)
    .innerJoin(liveWallets, eq(liveWallets.userId, fillSettlements.userId))
    .where(notInArray(fillSettlements.status, ["confirmed", "failed"]));
  return [...new Set([...waiting, ...settling].map(({ userId }) => userId))].toSorted();
}

/** Selects users with a wallet that was not reconciled for `pauseMs`. */
export async function selectIdleUsers(tx: Tx, pauseMs: number): Promise<string[]> {
  const rows = await tx
    .select({ userId: liveWallets.userId })
    .from(liveWallets)
    .leftJoin(reconciliations, eq(reconciliations.userId, liveWallets.userId))
    .where(
      or(
        isNull(reconciliations.succeededAt),
        lte(reconciliations.succeededAt, databaseTime(-pauseMs)),
      ),
    )
    .orderBy(asc(liveWallets.userId));
  return rows.map(({ userId }) => userId);
}

/** Selects users with a wallet, the oldest wallet first. */
export async function selectWalletUsers(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ userId: liveWallets.userId })
    .from(liveWallets)
    .orderBy(asc(liveWallets.createdAt))
    .limit(limit);
  return rows.map(({ userId }) => userId);
}

/** Returns which of the venue's order ids are recorded, for any user. */
export async function selectKnownVenueIds(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: remoteOrders.venueOrderId })
    .from(remoteOrders)
    .where(
      sql`${remoteOrders.venueOrderId} = any (select unnest(${toTextArray(ids)}::text::text[]))`,
    );
  return new Set(rows.map(({ id }) => id));
}

/** Returns when a user's first order was created; null without orders. */
export async function selectFirstOrderAt(tx: Tx, userId: string): Promise<Date | null> {
  const [first] = await tx
    .select({ at: min(remoteOrders.createdAt) })
    .from(remoteOrders)
    .where(eq(remoteOrders.userId, userId));
  return first?.at ?? null;
}

export interface ReconciliationLease {
  /** All trades before this time are recorded. */
  tradesUntil: Date;
  /** All external orders before this time are adopted; null before the first reconciliation. */
  externalUntil: Date | null;
  failures: number;
}

/**
 * Leases an account for reconciliation. Returns null while another process holds the lease, or before
 * the account is due.
 *
 * @param isDue takes the lease from its holder.
 */
export async function leaseReconciliation(
  tx: Tx,
  userId: string,
  { leaseMs, isDue }: { leaseMs: number; isDue: boolean },
): Promise<ReconciliationLease | null> {
  // Usually another process holds the lease. This check neither locks nor writes.
  if (!isDue) {
    const isLeased = gt(reconciliations.leasedUntil, databaseTime());
    const [taken] = await tx
      .select({ userId: reconciliations.userId })
      .from(reconciliations)
      .where(and(eq(reconciliations.userId, userId), isLeased));
    if (taken) return null;
  }
  const leasedUntil = databaseTime(leaseMs);
  const [row] = await tx
    .insert(reconciliations)
    .values({ userId, leasedUntil, tradesUntil: new Date(0) })
    .onConflictDoUpdate({
      target: reconciliations.userId,
      set: { leasedUntil },
      ...(isDue ? {} : { setWhere: lte(reconciliations.leasedUntil, databaseTime()) }),
    })
    .returning({
      tradesUntil: reconciliations.tradesUntil,
      externalUntil: reconciliations.externalUntil,
      failures: reconciliations.failures,
    });
  return row ?? null;
}

/** Records the result of a reconciliation. The next one is due after `pauseMs`. */
export async function updateReconciliation(
  tx: Tx,
  userId: string,
  pauseMs: number,
  change: Partial<Omit<typeof reconciliations.$inferInsert, "userId" | "leasedUntil">>,
): Promise<void> {
  await tx
    .update(reconciliations)
    .set({ ...change, leasedUntil: databaseTime(pauseMs) })
    .where(eq(reconciliations.userId, userId));
}

/** Returns the result of the last reconciliations of an account; null before the first. */
export async function selectReconciliation(
  tx: Tx,
  userId: string,
): Promise<{ failures: number; succeededAt: Date | null } | null> {
  const [row] = await tx
    .select({ failures: reconciliations.failures, succeededAt: reconciliations.succeededAt })
    .from(reconciliations)
    .where(eq(reconciliations.userId, userId));
  return row ?? null;
}

/** Makes every failed account due. A running reconciliation may then run twice. */
export async function endReconciliationPauses(tx: Tx): Promise<void> {
  await tx
    .update(reconciliations)
    .set({ leasedUntil: databaseTime() })
    .where(and(gt(reconciliations.failures, 0), gt(reconciliations.leasedUntil, databaseTime())));
}

/** Counts the remote orders in each of these statuses, with the creation time of the oldest. */
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

/** Inserts an order that was not sent: a rejected one, or one that waits for its owner's approval. */
export async function insertUnsentOrder(tx: Tx, order: OrderRow): Promise<void> {
  const { sequence: _assigned, ...row } = order;
  await tx.insert(orders).values(row);
}

/** Inserts what is sent of an order, with a posting lease that starts now. Returns the row. */
export async function insertRemoteOrder(
  tx: Tx,
  remote: RemoteOrderRow,
  leaseMs: number,
): Promise<RemoteOrderRow> {
  const [row] = await tx
    .insert(remoteOrders)
    .values({ ...remote, postingUntil: databaseTime(leaseMs) })
    .returning();
  assert(row, "an inserted row is returned");
  return row;
}
