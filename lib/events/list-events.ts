import "server-only";
import type { AccountEventType } from "@/lib/domain/account-events";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { findRange, readEvents, readHead } from "@/lib/events/read-events";
import { headWatch } from "@/lib/events/watch-heads";
import { registerStream } from "@/lib/open-streams";
import type { AccountEvent } from "@/lib/schemas/events";
import { PAGE_SIZE } from "@/lib/schemas/page-size";

export interface EventsQuery {
  after?: number | undefined;
  epoch?: number | undefined;
  types?: readonly AccountEventType[] | undefined;
  limit?: number | undefined;
  waitSeconds?: number | undefined;
}

/**
 * Returns events of the caller's log after a number, and the head of the log. With `waitSeconds`, waits
 * that long for the first event.
 */
export async function listEvents(
  account: AccountRef,
  { types, limit = PAGE_SIZE, waitSeconds = 0, ...cursor }: EventsQuery,
): Promise<{ events: AccountEvent[]; lastSeq: number }> {
  const { head, ...range } = await findRange(account, cursor);
  const isEnded = range.until !== undefined;
  const deadline = performance.now() + (isEnded ? 0 : waitSeconds * 1_000);
  const stop = new AbortController();
  const forget = registerStream(stop);
  try {
    for (let { lastSeq } = head; ; lastSeq = await readHead(account)) {
      const events = await readEvents(await getDb(), account, { ...range, types, limit });
      const timeoutMs = deadline - performance.now();
      if (events.length > 0 || timeoutMs <= 0 || stop.signal.aborted) {
        // An event may have been added since the head was read.
        return { events, lastSeq: Math.max(lastSeq, events.at(-1)?.seq ?? 0) };
      }
      await headWatch().wait(account, lastSeq, { timeoutMs, signal: stop.signal });
    }
  } finally {
    forget();
  }
}
