import "server-only";
import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import { insertRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { orderReplacements } from "@/lib/db/schema/trading";
import { textEquals } from "@/lib/db/text";
import { assert } from "@/lib/errors";
import { NO_SHARES, type Price, type Shares } from "@/lib/units";

/** A replacement as the owner asked for it. */
export interface NewReplacement {
  orderId: string;
  userId: string;
  key: string;
  price: Price;
  shares: Shares;
  createdAt: Date;
}

export type ReplacementRow = typeof orderReplacements.$inferSelect;

/** Builds the insert of a replacement, for the transaction that cancels the order. */
export function buildReplacementInsert(replacement: NewReplacement): SQL {
  return insertRows(orderReplacements, [{ ...replacement, restShares: null }]);
}

/**
 * Inserts a replacement of a live order at a remote venue. The caller records the cancel request in the
 * same transaction.
 *
 * @returns false if the order is no longer open, or its cancel was requested before.
 */
export async function insertRemoteReplacement(
  tx: Tx,
  replacement: NewReplacement,
): Promise<boolean> {
  const { orderId, userId } = replacement;
  const locked = await selectRows(
    tx,
    sql`select orders.id
        from orders join remote_orders as remote on remote.order_id = orders.id
        where orders.id = ${orderId}::text and remote.user_id = ${userId}::text
          and orders.status = 'open' and remote.cancel_requested_at is null
        for update`,
  );
  if (locked.length === 0) return false;
  await tx.insert(orderReplacements).values(replacement);
  return true;
}

/** Selects the replacement of an order of the account's user. */
export async function selectReplacement(
  tx: Tx,
  { userId }: AccountRef,
  orderId: string,
): Promise<ReplacementRow | null> {
  const [row] = await tx
    .select()
    .from(orderReplacements)
    .where(and(eq(orderReplacements.orderId, orderId), eq(orderReplacements.userId, userId)));
  return row ?? null;
}

/** Selects the order that a key replaces; null for an unused key. */
export async function selectReplacedId(
  tx: Tx,
  { userId }: AccountRef,
  key: string,
): Promise<string | null> {
  const [row] = await tx
    .select({ orderId: orderReplacements.orderId })
    .from(orderReplacements)
    .where(and(eq(orderReplacements.userId, userId), textEquals(orderReplacements.key, key)));
  return row?.orderId ?? null;
}

/** Selects the keys of the new orders, for the replaced ones of these orders whose rest was to be placed. */
export async function selectPlacedKeys(
  tx: Tx,
  { userId }: AccountRef,
  orderIds: readonly string[],
): Promise<Pick<ReplacementRow, "orderId" | "key">[]> {
  if (orderIds.length === 0) return [];
  return tx
    .select({ orderId: orderReplacements.orderId, key: orderReplacements.key })
    .from(orderReplacements)
    .where(
      and(
        inArray(orderReplacements.orderId, [...orderIds]),
        eq(orderReplacements.userId, userId),
        gt(orderReplacements.restShares, NO_SHARES),
      ),
    );
}

/** Stores the size of the new order, unless it is known. Returns the stored size. */
export async function storeRestShares(tx: Tx, orderId: string, rest: Shares): Promise<Shares> {
  const [row] = await tx
    .update(orderReplacements)
    .set({ restShares: sql`coalesce(${orderReplacements.restShares}, ${rest}::bigint)` })
    .where(eq(orderReplacements.orderId, orderId))
    .returning({ rest: orderReplacements.restShares });
  assert(row?.rest !== undefined && row.rest !== null, "a replacement exists once it is claimed");
  return row.rest;
}
