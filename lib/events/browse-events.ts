import "server-only";
import { z } from "zod";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/cursor";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { MarketRow } from "@/lib/db/rows";
import type { AccountEventType } from "@/lib/domain/account-events";
import { readEventMarkets } from "@/lib/events/read-event-markets";
import { readNewestEvents } from "@/lib/events/read-events";
import type { AccountEvent } from "@/lib/schemas/events";

const LIST = "events";
/** Each event comes with its JSON. */
const PAGE_EVENTS = 50;
const SeqCursor = z.tuple([z.int().min(1)]);

export interface EventFilter {
  types?: readonly AccountEventType[] | undefined;
  orderId?: string | undefined;
}

interface EventPage {
  events: AccountEvent[];
  /** The markets of the events' orders and fills, by id. */
  markets: ReadonlyMap<string, MarketRow>;
  nextCursor: string | null;
}

/**
 * Returns a page of the caller's log for the dashboard: newest first, of all epochs.
 *
 * @throws INVALID_CURSOR for a cursor of another list.
 */
export async function browseEvents(
  account: AccountRef,
  filter: EventFilter,
  cursor: string | undefined,
): Promise<EventPage> {
  const before = cursor === undefined ? undefined : decodeCursor(LIST, SeqCursor, cursor)[0];
  const selection = { ...filter, before, limit: PAGE_EVENTS + 1 };
  const db = await getDb();
  const found = await readNewestEvents(db, account, selection);
  const { rows, nextCursor } = cutPage(found, PAGE_EVENTS, ({ seq }) => encodeCursor(LIST, [seq]));
  return { events: rows, markets: await readEventMarkets(db, rows), nextCursor };
}
