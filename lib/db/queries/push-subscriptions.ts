import "server-only";
import { and, asc, count, eq, gt, inArray, ne, or, sql } from "drizzle-orm";
import { decodeRow, listColumns } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { sessions } from "@/lib/db/schema/dashboard";
import { pushSubscriptions } from "@/lib/db/schema/push";

export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect;

const isSubscriptionOf = (account: AccountRef, id: string) =>
  and(eq(pushSubscriptions.id, id), ofAccount(pushSubscriptions, account));

/** Selects an account's subscription; null if it has none with this id. */
export async function selectSubscription(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<PushSubscriptionRow | null> {
  const [row] = await tx.select().from(pushSubscriptions).where(isSubscriptionOf(account, id));
  return row ?? null;
}

/** Selects an account's subscriptions with their browsers, oldest first. */
export function selectSubscriptions(
  tx: Tx,
  account: AccountRef,
): Promise<{ subscription: PushSubscriptionRow; userAgent: string }[]> {
  return tx
    .select({ subscription: pushSubscriptions, userAgent: sessions.userAgent })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(ofAccount(pushSubscriptions, account))
    .orderBy(asc(pushSubscriptions.createdAt), asc(pushSubscriptions.id));
}

/** Counts a user's subscriptions of both accounts. */
export async function countSubscriptions(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId));
  return row?.total ?? 0;
}

/** Inserts a subscription that is due now. */
export async function insertSubscription(
  tx: Tx,
  row: Omit<typeof pushSubscriptions.$inferInsert, "nextAttemptAt">,
): Promise<void> {
  await tx.insert(pushSubscriptions).values({ ...row, nextAttemptAt: databaseTime() });
}

/**
 * Deletes what a new subscription replaces: the account's subscription of the same session, the
 * account's subscription of the same browser, and every other user's subscription of that browser.
 */
export async function deleteReplaced(
  tx: Tx,
  account: AccountRef,
  { sessionId, endpoint }: Pick<PushSubscriptionRow, "sessionId" | "endpoint">,
): Promise<void> {
  const isOfAccount = ofAccount(pushSubscriptions, account);
  await tx
    .delete(pushSubscriptions)
    .where(
      or(
        and(isOfAccount, eq(pushSubscriptions.sessionId, sessionId)),
        and(
          eq(pushSubscriptions.endpoint, endpoint),
          or(isOfAccount, ne(pushSubscriptions.userId, account.userId)),
        ),
      ),
    );
}

/** Changes the choices of a subscription. Returns whether the account has it. */
export async function updateSubscription(
  tx: Tx,
  account: AccountRef,
  id: string,
  change: Pick<PushSubscriptionRow, "kinds" | "showsAmounts">,
): Promise<boolean> {
  const rows = await tx
    .update(pushSubscriptions)
    .set(change)
    .where(isSubscriptionOf(account, id))
    .returning({ id: pushSubscriptions.id });
  return rows.length === 1;
}

/** Deletes an account's subscription. Returns whether the account had it. */
export async function deleteSubscription(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<boolean> {
  const rows = await tx
    .delete(pushSubscriptions)
    .where(isSubscriptionOf(account, id))
    .returning({ id: pushSubscriptions.id });
  return rows.length === 1;
}

/** Deletes the subscriptions of sessions, which end with them. */
export async function deleteSubscriptionsOfSessions(
  tx: Tx,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.sessionId, [...sessionIds]));
}

/** Deletes the subscriptions of a browser, both accounts' of a user. */
export async function deleteSubscriptionsAt(tx: Tx, endpoint: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint));
}

/** Selects the subscriptions whose account has events that were not sent to them yet. */
export async function selectSubscriptionsWithWork(tx: Tx): Promise<string[]> {
  const at = databaseTime();
  const rows = await selectRows<{ id: string }>(
    tx,
    sql`select subscription.id
        from push_subscriptions as subscription
        join users as owner on owner.id = subscription.user_id
        join ledger_accounts as cash on cash.id = owner.id || '/'
          || case subscription.mode when 'live' then 0 else owner.epoch end || '/usdc/available'
        where owner.status = 'active' and cash.version > subscription.sent_seq
          and subscription.next_attempt_at <= ${at}
          and coalesce(subscription.leased_until <= ${at}, true)
        order by subscription.next_attempt_at, subscription.id`,
  );
  return rows.map(({ id }) => id);
}

/** Leases a subscription that is due, so that no other process sends to it. Null if it is not due. */
export async function leaseSubscription(
  tx: Tx,
  id: string,
  leaseMs: number,
): Promise<PushSubscriptionRow | null> {
  const at = databaseTime();
  const [row] = await selectRows<Record<string, unknown>>(
    tx,
    sql`update push_subscriptions as subscription set leased_until = ${databaseTime(leaseMs)}
        where id = ${id}::text and next_attempt_at <= ${at} and coalesce(leased_until <= ${at}, true)
        returning ${listColumns(pushSubscriptions, "subscription")}`,
  );
  return row ? decodeRow(pushSubscriptions, row) : null;
}

type Lease = Pick<PushSubscriptionRow, "id" | "leasedUntil">;

const hasLease = ({ id, leasedUntil }: Lease) =>
  sql`id = ${id}::text and leased_until = ${leasedUntil?.toISOString() ?? null}::timestamptz`;

/**
 * Records that everything up to a number was sent, and renews the lease. Returns the subscription; null
 * if the lease was lost: it ended and another process has it, or the subscription is gone.
 *
 * @param isDelivered false if the push service did not accept the message.
 */
export async function recordSent(
  tx: Tx,
  lease: Lease,
  { sentSeq, isDelivered, leaseMs }: { sentSeq: number; isDelivered: boolean; leaseMs: number },
): Promise<PushSubscriptionRow | null> {
  const [row] = await selectRows<Record<string, unknown>>(
    tx,
    sql`update push_subscriptions as subscription set sent_seq = ${sentSeq}::bigint,
          last_sent_at = ${isDelivered ? databaseTime() : sql`last_sent_at`},
          failure_count = 0, failing_since = null, leased_until = ${databaseTime(leaseMs)}
        where ${hasLease(lease)} returning ${listColumns(pushSubscriptions, "subscription")}`,
  );
  return row ? decodeRow(pushSubscriptions, row) : null;
}

/** Ends a lease after everything up to a number was handled. */
export async function endLease(
  tx: Tx,
  lease: Lease,
  { sentSeq, delayMs }: { sentSeq: number; delayMs: number },
): Promise<void> {
  await tx.execute(
    sql`update push_subscriptions set sent_seq = ${sentSeq}::bigint, leased_until = null,
          next_attempt_at = ${databaseTime(delayMs)} where ${hasLease(lease)}`,
  );
}

/** Ends a lease after an attempt that failed. */
export async function recordFailure(tx: Tx, lease: Lease, delayMs: number): Promise<void> {
  await tx.execute(
    sql`update push_subscriptions set failure_count = failure_count + 1,
          failing_since = coalesce(failing_since, ${databaseTime()}), leased_until = null,
          next_attempt_at = ${databaseTime(delayMs)} where ${hasLease(lease)}`,
  );
}

/** Selects subscriptions by id, after the subscription `after`. */
export function selectSubscriptionsAfter(
  tx: Tx,
  after: string,
  limit: number,
): Promise<PushSubscriptionRow[]> {
  return tx
    .select()
    .from(pushSubscriptions)
    .where(gt(pushSubscriptions.id, after))
    .orderBy(asc(pushSubscriptions.id))
    .limit(limit);
}

/** Replaces the secret of a subscription, if it still equals `from`. Returns whether it was replaced. */
export async function replaceSealedAuth(
  tx: Tx,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx
    .update(pushSubscriptions)
    .set({ sealedAuth: to })
    .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.sealedAuth, from)))
    .returning({ id: pushSubscriptions.id });
  return rows.length === 1;
}
