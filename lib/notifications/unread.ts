import "server-only";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { countUnread, upsertReadSeq } from "@/lib/db/queries/notifications";
import { readHead } from "@/lib/events/read-events";
import { getShownKinds } from "@/lib/notifications/shown-kinds";

/** Returns how many shown notifications the account's owner has not read, at most MAX_UNREAD. */
export async function getUnread(account: AccountRef): Promise<{ unread: number }> {
  const shown = await getShownKinds(account.userId);
  return { unread: await countUnread(await getDb(), account, shown) };
}

/** Marks notifications up to the number of an event as read. Later ones stay unread. */
export async function markRead(account: AccountRef, seq: number): Promise<void> {
  const head = await readHead(account);
  await upsertReadSeq(await getDb(), account, Math.min(seq, head));
}
