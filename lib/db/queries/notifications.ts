import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { IS_NOTIFIED } from "@/lib/db/schema/account-events";
import { notificationMarks } from "@/lib/db/schema/dashboard";
import { MAX_UNREAD } from "@/lib/domain/notifications";

/** Counts the notified events after the read mark and the last reset, at most MAX_UNREAD. */
export async function countUnread(tx: Tx, { userId, mode }: AccountRef): Promise<number> {
  const [row] = await selectRows<{ unread: number }>(
    tx,
    sql`select count(*)::integer as unread from (
          select from account_events
          where user_id = ${userId}::text and mode = ${mode}::text and ${IS_NOTIFIED}
            and seq > greatest(
              coalesce((select read_seq from notification_marks
                where user_id = ${userId}::text and mode = ${mode}::text), 0),
              coalesce((select seq from account_events
                where user_id = ${userId}::text and mode = ${mode}::text
                  and type = 'account.reset' order by seq desc limit 1), 0))
          limit ${MAX_UNREAD}::integer) as found`,
  );
  return row?.unread ?? 0;
}

/** Returns the number up to which an account's notifications were read; 0 if none were. */
export async function selectReadSeq(tx: Tx, { userId, mode }: AccountRef): Promise<number> {
  const [row] = await tx
    .select({ readSeq: notificationMarks.readSeq })
    .from(notificationMarks)
    .where(and(eq(notificationMarks.userId, userId), eq(notificationMarks.mode, mode)));
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
