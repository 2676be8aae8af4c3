import "server-only";
import type { AccountEventType } from "@/lib/domain/account-events";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { findRange, readEvents } from "@/lib/events/read-events";
import type { AccountEvent } from "@/lib/schemas/events";
import { PAGE_SIZE } from "@/lib/schemas/page-size";

export interface EventsQuery {
  after?: number | undefined;
  epoch?: number | undefined;
  types?: readonly AccountEventType[] | undefined;
  limit?: number | undefined;
}

/** Returns events of the caller's log after a number, and the head of the log. */
export async function listEvents(
  account: AccountRef,
  { types, limit = PAGE_SIZE, ...cursor }: EventsQuery,
): Promise<{ events: AccountEvent[]; lastSeq: number }> {
  const { head, ...range } = await findRange(account, cursor);
  const events = await readEvents(await getDb(), account, { ...range, types, limit });
  // An event may have been added since the head was read.
  const last = events.at(-1)?.seq ?? 0;
  return { events, lastSeq: Math.max(head.lastSeq, last) };
}
