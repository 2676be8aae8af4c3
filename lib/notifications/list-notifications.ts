import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLogHead } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectNews, selectReadSeq } from "@/lib/db/queries/notifications";
import { ALL_KINDS, type NotificationKind } from "@/lib/domain/notifications";
import { readNewestEvents } from "@/lib/events/read-events";
import { type DescribedEvent, describeEvents } from "@/lib/notifications/describe-events";
import { groupFills } from "@/lib/notifications/group-fills";
import { getShownKinds } from "@/lib/notifications/shown-kinds";
import type { NotificationList } from "@/lib/schemas/notifications";

/** How many events are read, so that joined fills still leave enough for a short list. */
const EVENTS_READ = 50;

/**
 * Returns the newest notifications of these kinds in the account's current epoch, newest first, without those
 * that its owner has switched off. They are read from the event log, and equal fills are shown as one.
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
  const events = await readNewestEvents(db, account, {
    after,
    notified,
    limit: Math.max(limit, EVENTS_READ),
  });
  const described = await describeEvents(db, account, events, epoch);
  const unread = events.map(({ seq }) => seq).filter((seq) => seq > readSeq);
  const news = await selectNews(db, account, unread);
  const pairs = events.map((event, index) => ({
    event,
    notification: { ...(described[index] as DescribedEvent), isUnread: news.has(event.seq) },
  }));
  return { notifications: groupFills(pairs).slice(0, limit) };
}
