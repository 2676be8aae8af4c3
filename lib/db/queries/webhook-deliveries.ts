import "server-only";
import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { decodeRow, insertRows, listColumns } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { assert } from "@/lib/errors";
import { type DeliveryAttempt, webhookDeliveries } from "@/lib/db/schema/webhooks";

export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Inserts deliveries, due now. They get their positions in the order of the rows. */
export async function insertDeliveries(
  tx: Tx,
  rows: readonly Omit<WebhookDeliveryRow, "position" | "nextAttemptAt">[],
): Promise<void> {
  if (rows.length > 0) {
    await tx.execute(insertRows(webhookDeliveries, rows, { next_attempt_at: databaseTime() }));
  }
}

/**
 * Leases due deliveries of an endpoint, oldest first. While the lease runs, no other process sends
 * them. An ordered endpoint gets its oldest delivery, and only when that is due.
 */
export async function leaseDeliveries(
  tx: Tx,
  { id, isOrdered }: { id: string; isOrdered: boolean },
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Promise<WebhookDeliveryRow[]> {
  const at = databaseTime();
  const isDue = sql`next_attempt_at <= ${at} and coalesce(leased_until <= ${at}, true)`;
  const candidates = isOrdered
    ? sql`select id from webhook_deliveries
        where endpoint_id = ${id}::text and status = 'pending' order by position limit 1`
    : sql`select id from webhook_deliveries
        where endpoint_id = ${id}::text and status = 'pending' and ${isDue}
        order by position limit ${limit}::integer for update skip locked`;
  // The update repeats the conditions: another process may have changed a row meanwhile.
  const rows = await selectRows<Record<string, unknown>>(
    tx,
    sql`with candidate as materialized (${candidates})
        update webhook_deliveries as delivery set leased_until = ${databaseTime(leaseMs)}
        from candidate where delivery.id = candidate.id and status = 'pending' and ${isDue}
          and exists (select from webhook_endpoints
            where id = delivery.endpoint_id and status = 'active')
        returning ${listColumns(webhookDeliveries, "delivery")}`,
  );
  return rows
    .map((row) => decodeRow(webhookDeliveries, row))
    .toSorted((a, b) => a.position - b.position);
}

/** What an attempt changes of a delivery. */
export interface AttemptRecord {
  status: WebhookDeliveryRow["status"];
  attempts: readonly DeliveryAttempt[];
  /** How long until the next attempt. */
  delayMs: number;
}

/**
 * Records an attempt and ends the lease. Returns false if the lease was lost meanwhile: it ended, and
 * another process has the delivery.
 */
export async function recordAttempt(
  tx: Tx,
  { id, leasedUntil }: Pick<WebhookDeliveryRow, "id" | "leasedUntil">,
  { status, attempts, delayMs }: AttemptRecord,
): Promise<boolean> {
  const rows = await selectRows(
    tx,
    sql`update webhook_deliveries set status = ${status}, attempts = ${JSON.stringify(attempts)}::json,
          attempt_count = attempt_count + 1, leased_until = null,
          next_attempt_at = ${databaseTime(delayMs)},
          delivered_at = ${status === "delivered" ? databaseTime() : sql`delivered_at`}
        where id = ${id} and leased_until = ${leasedUntil?.toISOString() ?? null}::timestamptz
        returning id`,
  );
  return rows.length === 1;
}

/** Selects deliveries of an endpoint, newest first, before a position. */
export function selectDeliveries(
  tx: Tx,
  endpointId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<WebhookDeliveryRow[]> {
  return tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        before === null ? undefined : lt(webhookDeliveries.position, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.position))
    .limit(limit);
}

/** Selects a delivery of an endpoint; null if it has none with this id. */
export async function selectDelivery(
  tx: Tx,
  endpointId: string,
  id: string,
): Promise<WebhookDeliveryRow | null> {
  const [row] = await tx
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, id)));
  return row ?? null;
}

/** Selects the oldest pending delivery of an endpoint, which an ordered endpoint gets before all others. */
export async function selectOldestPending(
  tx: Tx,
  endpointId: string,
): Promise<Pick<WebhookDeliveryRow, "id" | "seq" | "nextAttemptAt"> | null> {
  const { id, seq, nextAttemptAt } = webhookDeliveries;
  const [row] = await tx
    .select({ id, seq, nextAttemptAt })
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, "pending")),
    )
    .orderBy(asc(webhookDeliveries.position))
    .limit(1);
  return row ?? null;
}

/** The pending deliveries of an endpoint. */
export interface PendingDeliveries {
  count: number;
  /** When the first of them is due. */
  nextAttemptAt: Date | null;
  /** The newest attempt of any of them. */
  lastAttempt: DeliveryAttempt | null;
}

export async function selectPending(tx: Tx, endpointId: string): Promise<PendingDeliveries> {
  const ofPending = sql`from webhook_deliveries
    where endpoint_id = ${endpointId}::text and status = 'pending'`;
  const [row] = await selectRows<{
    count: number;
    next: string | null;
    last: DeliveryAttempt | null;
  }>(
    tx,
    sql`select count(*)::integer as count, min(next_attempt_at)::text as next,
          (select attempts -> -1 ${ofPending}
            order by attempts -> -1 ->> 'at' desc nulls last limit 1) as last
        ${ofPending}`,
  );
  assert(row, "an aggregate has a row");
  const nextAttemptAt = row.next === null ? null : new Date(row.next);
  return { count: row.count, nextAttemptAt, lastAttempt: row.last };
}

/** Makes a delivery due now, with a fresh schedule. Returns it. */
export async function makeDue(tx: Tx, id: string): Promise<WebhookDeliveryRow> {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ status: "pending", attemptCount: 0, nextAttemptAt: databaseTime() })
    .where(eq(webhookDeliveries.id, id))
    .returning();
  assert(row, "a delivery exists as long as its locked endpoint");
  return row;
}

/** Deletes the pending deliveries of events after a number, which a replay sends anew. */
export async function deletePendingAfter(tx: Tx, endpointId: string, after: number): Promise<void> {
  await tx.execute(
    sql`delete from webhook_deliveries
        where endpoint_id = ${endpointId} and status = 'pending' and seq > ${after}::bigint`,
  );
}
