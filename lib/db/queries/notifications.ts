import "server-only";
import { and, inArray, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { accountEvents, IS_NOTIFIED, isNotified } from "@/lib/db/schema/account-events";
import { notificationMarks } from "@/lib/db/schema/dashboard";
import { MAX_UNREAD, type NotificationKind } from "@/lib/domain/notifications";

/**
 * Whether an event is news to the account's owner: a condition on `account_events`. What became of an
 * order that was placed by hand is none, unless the order has rested on the book before: the ticket has
 * shown it. Neither is the end of an order that its owner canceled, unless it traded in the same moment: earlier
 * trades are notifications of their own.
 */
export const IS_NEWS = sql`(account_events.type <> 'order.canceled'
    or account_events.data -> 'detail' ->> 'reason' is distinct from 'requested'
    or exists (
      select from order_events as matched
      where matched.order_id = account_events.order_id and matched.type = 'matched'
        and matched.created_at = account_events.created_at))
  and not exists (
  select from orders as placed
  where placed.id = account_events.order_id and placed.key_id is null and placed.origin = 'ante'
    and not exists (
      select from order_events as opened
      where opened.order_id = placed.id and opened.type = 'opened'
        and opened.created_at < account_events.created_at))`;

/** Counts the unread notifications of these kinds after the read mark and the last reset, at most MAX_UNREAD. */
export async function countUnread(
  tx: Tx,
  { userId, mode }: AccountRef,
  kinds: readonly NotificationKind[],
): Promise<number> {
  const [row] = await selectRows<{ unread: number }>(
    tx,
    sql`select count(*)::integer as unread from (
          select from account_events
          where user_id = ${userId}::text and mode = ${mode}::text and ${IS_NOTIFIED} and ${isNotified(kinds)}
            and seq > greatest(
              coalesce((select read_seq from notification_marks
                where user_id = ${userId}::text and mode = ${mode}::text), 0),
              coalesce((select seq from account_events
                where user_id = ${userId}::text and mode = ${mode}::text
                  and type = 'account.reset' order by seq desc limit 1), 0))
            and ${IS_NEWS}
          limit ${MAX_UNREAD}::integer) as found`,
  );
  return row?.unread ?? 0;
}

/** Returns which of these events are news. */
export async function selectNews(
  tx: Tx,
  account: AccountRef,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx
    .select({ seq: accountEvents.seq })
    .from(accountEvents)
    .where(and(ofAccount(accountEvents, account), inArray(accountEvents.seq, [...seqs]), IS_NEWS));
  return new Set(rows.map(({ seq }) => seq));
}

/** Whether the owner was notified that an automatic claim of a market failed. */
export async function isFailedClaimNotified(
  tx: Tx,
  { userId, marketId }: { userId: string; marketId: string },
): Promise<boolean> {
  const rows = await tx
    .select({ seq: accountEvents.seq })
    .from(accountEvents)
    .where(
      and(
        ofAccount(accountEvents, { userId, mode: "live" }),
        IS_NOTIFIED,
        isNotified(["claim"]),
        sql`${accountEvents.data} ->> 'marketId' = ${marketId}::text`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Returns the number up to which an account's notifications were read; 0 if none were. */
export async function selectReadSeq(tx: Tx, account: AccountRef): Promise<number> {
  const [row] = await tx
    .select({ readSeq: notificationMarks.readSeq })
    .from(notificationMarks)
    .where(ofAccount(notificationMarks, account));
  return row?.readSeq ?? 0;
}

/** Moves the read mark of an account forward. */
export async function upsertReadSeq(
  tx: Tx,
  { userId, mode }: AccountRef,
  readSeq: number,
): Promise<void> {
  await tx
    .insert(notificationMarks)
    .values({ userId, mode, readSeq })
    .onConflictDoUpdate({
      target: [notificationMarks.userId, notificationMarks.mode],
      set: { readSeq: sql`greatest(${notificationMarks.readSeq}, excluded.read_seq)` },
    });
}
