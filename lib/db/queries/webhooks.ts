import "server-only";
import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { webhookEndpoints } from "@/lib/db/schema/webhooks";

export type WebhookEndpointRow = typeof webhookEndpoints.$inferSelect;

const isEndpointOf = (account: AccountRef, id: string) =>
  and(eq(webhookEndpoints.id, id), ofAccount(webhookEndpoints, account));

/** Selects an account's endpoint; null if it has none with this id. */
export async function selectEndpoint(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const [row] = await tx.select().from(webhookEndpoints).where(isEndpointOf(account, id));
  return row ?? null;
}

/** The same, and locks it until the transaction ends. */
export async function lockEndpoint(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const [row] = await tx
    .select()
    .from(webhookEndpoints)
    .where(isEndpointOf(account, id))
    .for("update");
  return row ?? null;
}

/** Selects an active endpoint. */
export async function selectActiveEndpoint(tx: Tx, id: string): Promise<WebhookEndpointRow | null> {
  const [row] = await tx.select().from(webhookEndpoints).where(isActive(id));
  return row ?? null;
}

/** The same, and locks it until the transaction ends. */
export async function lockActiveEndpoint(tx: Tx, id: string): Promise<WebhookEndpointRow | null> {
  const [row] = await tx.select().from(webhookEndpoints).where(isActive(id)).for("update");
  return row ?? null;
}

const isActive = (id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.status, "active"));

/** Selects the endpoints of an account, oldest first. */
export function selectEndpoints(tx: Tx, account: AccountRef): Promise<WebhookEndpointRow[]> {
  return tx
    .select()
    .from(webhookEndpoints)
    .where(ofAccount(webhookEndpoints, account))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
}

export async function countEndpoints(tx: Tx, account: AccountRef): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(webhookEndpoints)
    .where(ofAccount(webhookEndpoints, account));
  return row?.total ?? 0;
}

export async function insertEndpoint(tx: Tx, row: WebhookEndpointRow): Promise<void> {
  await tx.insert(webhookEndpoints).values(row);
}

/** Changes an endpoint. Returns it, or null if it was deleted. */
export async function updateEndpoint(
  tx: Tx,
  id: string,
  change: Partial<WebhookEndpointRow>,
): Promise<WebhookEndpointRow | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set(change)
    .where(eq(webhookEndpoints.id, id))
    .returning();
  return row ?? null;
}

/** Deletes an endpoint with its deliveries. Returns whether the account had it. */
export async function deleteEndpoint(tx: Tx, account: AccountRef, id: string): Promise<boolean> {
  const rows = await tx
    .delete(webhookEndpoints)
    .where(isEndpointOf(account, id))
    .returning({ id: webhookEndpoints.id });
  return rows.length === 1;
}

/**
 * Selects the active endpoints with an event to enqueue or a delivery to send. An ordered endpoint
 * sends its oldest delivery, even while later ones are due.
 */
export async function selectEndpointsWithWork(tx: Tx): Promise<string[]> {
  const at = databaseTime();
  const isDue = sql`delivery.next_attempt_at <= ${at}
    and coalesce(delivery.leased_until <= ${at}, true)`;
  const rows = await selectRows<{ id: string }>(
    tx,
    sql`select endpoint.id
        from webhook_endpoints as endpoint
        join users as owner on owner.id = endpoint.user_id
        join ledger_accounts as cash on cash.id = owner.id || '/'
          || case endpoint.mode when 'live' then 0 else owner.epoch end || '/usdc/available'
        where endpoint.status = 'active' and (
          cash.version > endpoint.enqueued_seq
          or case when endpoint.is_ordered then (
            select ${isDue} from (
              select next_attempt_at, leased_until from webhook_deliveries
              where endpoint_id = endpoint.id and status = 'pending'
              order by position limit 1
            ) as delivery
          ) else exists (
            select from webhook_deliveries as delivery
            where endpoint_id = endpoint.id and status = 'pending' and ${isDue}
          ) end)
        order by endpoint.id`,
  );
  return rows.map(({ id }) => id);
}

/** Selects endpoints by id, after the endpoint `after`. */
export function selectEndpointsAfter(
  tx: Tx,
  after: string,
  limit: number,
): Promise<WebhookEndpointRow[]> {
  return tx
    .select()
    .from(webhookEndpoints)
    .where(gt(webhookEndpoints.id, after))
    .orderBy(asc(webhookEndpoints.id))
    .limit(limit);
}

/** Replaces a secret of an endpoint, if it still equals `from`. Returns whether it was replaced. */
export async function replaceWebhookSecret(
  tx: Tx,
  secret: "sealedSecret" | "sealedPreviousSecret",
  change: { id: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ [secret]: change.to })
    .where(and(eq(webhookEndpoints.id, change.id), eq(webhookEndpoints[secret], change.from)))
    .returning({ id: webhookEndpoints.id });
  return rows.length === 1;
}
