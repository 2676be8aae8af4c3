import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLogHead } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectNews, selectReadSeq } from "@/lib/db/queries/notifications";
import { ALL_KINDS, type NotificationKind } from "@/lib/domain/notifications";
import { readNewestEvents } from "@/lib/events/read-events";
import { describeEvents } from "@/lib/notifications/describe-events";
import { getShownKinds } from "@/lib/notifications/shown-kinds";
import type { NotificationList } from "@/lib/schemas/notifications";

/**
 * Returns the newest notifications of these kinds in the account's current epoch, newest first, without those
 * that its owner has switched off. Only the event log records them.
 */
export async function listNotifications(
  account: AccountRef,
  limit: number,
  kinds: readonly NotificationKind[] = ALL_KINDS,
): Promise<NotificationList> {
  const db = await getDb();
  const [readSeq, { epoch, epochStart: after }, shown] = await Promise.all([
    selectReadSeq(db, account),
    selectLogHead(db, account),
    getShownKinds(account.userId),
  ]);
  const notified = kinds.filter((kind) => shown.includes(kind));
  const events = await readNewestEvents(db, account, { after, notified, limit });
  const described = await describeEvents(db, account, events, epoch);
  const unread = events.map(({ seq }) => seq).filter((seq) => seq > readSeq);
  const news = await selectNews(db, account, unread);
  return { notifications: described.map((each) => ({ ...each, isUnread: news.has(each.seq) })) };
}
