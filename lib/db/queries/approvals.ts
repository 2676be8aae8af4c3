import "server-only";
import { and, asc, between, count, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import type { CancelScope } from "@/lib/db/queries/remote-cancels";
import type { OrderRow } from "@/lib/db/rows";
import { IS_APPROVED, remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Mode } from "@/lib/venue/port";

/** Spelled like the predicate of the index over waiting orders, so that Postgres uses it. */
const isWaiting = sql`${orders.status} = 'pending_approval'`;

/** Counts the orders of an account that wait for its owner's approval. */
export async function countWaiting(tx: Tx, account: AccountRef): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(orders)
    .where(and(ofAccount(orders, account), isWaiting));
  return row?.total ?? 0;
}

/** An order that waits, and its account. */
export interface WaitingOrder {
  id: string;
  marketId: string;
  userId: string;
  mode: Mode;
}

/** Selects orders that were placed by a time and still wait, oldest first. */
export function selectWaitingSince(tx: Tx, by: Date, limit: number): Promise<WaitingOrder[]> {
  return tx
    .select({
      id: orders.id,
      marketId: orders.marketId,
      userId: orders.userId,
      mode: sql<Mode>`case when ${orders.epoch} = ${sql.raw(String(LIVE_EPOCH))} then 'live' else 'paper' end`,
    })
    .from(orders)
    .where(and(isWaiting, lte(orders.createdAt, by)))
    .orderBy(asc(orders.createdAt))
    .limit(limit);
}

/** Locks the live orders in a scope that wait, in the lock order of orders. */
export function lockWaiting(
  tx: Tx,
  userId: string,
  { marketId, orderIds }: CancelScope,
): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(
      and(
        ofAccount(orders, { userId, mode: "live" }),
        isWaiting,
        marketId === undefined ? undefined : eq(orders.marketId, marketId),
        orderIds === undefined ? undefined : inArray(orders.id, [...orderIds]),
      ),
    )
    .orderBy(asc(orders.id))
    .for("update");
}

/** Writes the end or the approval of an order that the transaction has locked. */
export async function updateWaiting(tx: Tx, row: OrderRow): Promise<void> {
  const { id, status, held, updatedAt } = row;
  await tx.update(orders).set({ status, held, updatedAt }).where(eq(orders.id, id));
}

/**
 * Locks an order that waits, and puts it at the end of the queue at its price: it must not come before
 * orders that were on the book while it waited. The caller holds the lock of the order's market.
 */
export async function requeueWaiting(tx: Tx, userId: string, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ sequence: sql`nextval(pg_get_serial_sequence('orders', 'sequence'))` })
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId), isWaiting));
}

/** How far back unfinished posts are looked for. A later post would surprise the owner. */
const UNFINISHED_MS = 10 * 60_000;

/**
 * Selects approved live orders that were not posted, or whose response was not recorded: their process
 * died, so their posting lease ended without being released.
 */
export function selectUnfinishedPosts(
  tx: Tx,
): Promise<(Pick<OrderRow, "userId" | "keyId" | "marketId"> & { orderId: string })[]> {
  const { id: orderId, userId, keyId, marketId } = orders;
  return tx
    .select({ orderId, userId, keyId, marketId })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(
      and(
        IS_APPROVED,
        gt(remoteOrders.createdAt, databaseTime(-UNFINISHED_MS)),
        eq(orders.status, "submitting"),
        // A released lease has ended long ago.
        between(remoteOrders.postingUntil, databaseTime(-UNFINISHED_MS), databaseTime()),
      ),
    );
}
