import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import type { OrderEventInsert } from "@/lib/db/rows";
import { orderEvents } from "@/lib/db/schema/trading";

/** Builds the insert of events of orders. The same transaction adds them to the account's log. */
export function buildOrderEventInsert(events: readonly OrderEventInsert[]): SQL {
  return insertRows(orderEvents, events, { is_logged: sql`true` });
}
