import "server-only";
import { eq, inArray, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { RemoteOrder } from "@/lib/db/queries/remote-orders";
import { reconciliations, remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { available, LIVE_EPOCH, USDC } from "@/lib/ledger/accounts";

/** The orders of an account to cancel: all, those of a market, or those with these ids. */
export interface CancelScope {
  marketId?: string | undefined;
  orderIds?: readonly string[] | undefined;
}

interface Request {
  userId: string;
  keyId: string | null;
  requestId?: string | null | undefined;
  at: Date;
}

/**
 * Records cancel requests for the unsettled orders in a scope. One statement does it, so either all
 * requests are durable or none. Returns the ids of these orders, including those requested before.
 */
export async function requestCancels(
  tx: Tx,
  { userId, keyId, requestId = null, at }: Request,
  { marketId, orderIds }: CancelScope,
): Promise<string[]> {
  const isInMarket = marketId === undefined ? sql`true` : sql`orders.market_id = ${marketId}::text`;
  const isChosen = orderIds === undefined ? sql`true` : sql`orders.id in (${listed(orderIds)})`;
  const instant = sql`${at.toISOString()}::text::timestamptz`;
  const cashId = available({ userId, epoch: LIVE_EPOCH }, USDC).id;
  const rows = await selectRows<{ id: string }>(
    tx,
    // Locks in the same order as all other statements: by order id, each with its remote order.
    sql`with chosen as (
          select orders.id, remote.cancel_requested_at is null as is_new, orders.status,
            orders.filled_shares_micro, orders.filled_notional_micro, orders.fee_micro,
            orders.updated_at
          from orders join remote_orders as remote on remote.order_id = orders.id
          where remote.user_id = ${userId}::text
            and orders.status in (${listed(UNSETTLED_STATUSES)})
            and ${isInMarket} and ${isChosen}
          order by orders.id
          for update
        ), requested as (
          update remote_orders as remote
          set cancel_requested_at = ${instant}, cancel_key_id = ${keyId}::text
          from chosen
          where remote.order_id = chosen.id and chosen.is_new
          returning remote.order_id
        ), recorded as (
          insert into order_events (order_id, type, key_id, detail, created_at, is_logged)
          select order_id, 'cancel_requested', ${keyId}::text, '{}'::jsonb, ${instant}, true
          from requested
        ), counted as (
          update ledger_accounts set version = version + (select count(*) from requested)
          where id = ${cashId}::text and exists (select from requested)
          returning version - (select count(*) from requested) as version
        ), logged as (
          insert into account_events
            (user_id, mode, seq, epoch, type, data, order_id, request_id, key_id, created_at)
          select ${userId}::text, 'live', counted.version + row_number() over (order by chosen.id),
            ${LIVE_EPOCH}::integer, 'order.cancel_requested', json_build_object(
              'status', chosen.status, 'filledShares', chosen.filled_shares_micro::text,
              'filledNotional', chosen.filled_notional_micro::text, 'fee', chosen.fee_micro::text,
              'updatedAt', (extract(epoch from chosen.updated_at) * 1000)::bigint,
              'detail', '{}'::json),
            chosen.id, ${requestId}::text, ${keyId}::text, ${instant}
          from requested join chosen on chosen.id = requested.order_id cross join counted
        )
        select id from chosen`,
  );
  return rows.map(({ id }) => id);
}

/** Expands a list from one parameter, which Postgres reads once instead of for every row. */
const listed = (texts: readonly string[]) =>
  sql`select json_array_elements_text(${JSON.stringify(texts)}::text::json)`;

/** Selects remote orders by Ante's ids. */
export function selectRemoteOrders(tx: Tx, orderIds: readonly string[]): Promise<RemoteOrder[]> {
  return tx
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(inArray(orders.id, [...orderIds]));
}

/** Returns until when an account's trades are recorded; null before the first reconciliation. */
export async function selectTradesUntil(tx: Tx, userId: string): Promise<Date | null> {
  const [row] = await tx
    .select({ at: reconciliations.tradesUntil })
    .from(reconciliations)
    .where(eq(reconciliations.userId, userId));
  return row?.at ?? null;
}
