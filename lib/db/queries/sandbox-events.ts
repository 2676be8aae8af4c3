import "server-only";
import { desc, eq, inArray, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { FillRow, OrderEventRow } from "@/lib/db/rows";
import { fills, orderEvents } from "@/lib/db/schema/trading";

/** One event of an order, with its account and market. */
export interface OrderEvent {
  /** Decimal text. */
  id: string;
  type: OrderEventRow["type"];
  orderId: string;
  userId: string;
  marketId: string;
  /** The fill of a `matched` event. */
  fillId: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

interface EventRow {
  id: string;
  type: OrderEvent["type"];
  order_id: string;
  user_id: string;
  market_id: string;
  fill_id: string | null;
  at_ms: string;
}

const eventColumns = sql`event.id::text, event.type, event.order_id, orders.user_id,
  orders.market_id, event.detail ->> 'fillId' as fill_id,
  (extract(epoch from event.created_at) * 1000)::bigint::text as at_ms`;

/** Selects the events after an id, oldest first, except those in `known`. */
export async function selectEventsAfter(
  tx: Tx,
  { after, known, limit }: { after: string; known: Iterable<string>; limit: number },
): Promise<OrderEvent[]> {
  const rows = await selectRows<EventRow>(
    tx,
    sql`select ${eventColumns} from order_events event join orders on orders.id = event.order_id
        where event.id > ${after}::bigint
          and event.id <> all(${`{${[...known].join(",")}}`}::bigint[])
        order by event.id limit ${limit}`,
  );
  return rows.map(toEvent);
}

/** Selects the newest fills, cancels and expiries of one user's orders since an instant. */
export async function selectWalletEvents(
  tx: Tx,
  { userId, since, limit }: { userId: string; since: Date; limit: number },
): Promise<OrderEvent[]> {
  const rows = await selectRows<EventRow>(
    tx,
    sql`select ${eventColumns} from orders join order_events event on event.order_id = orders.id
        where orders.user_id = ${userId} and event.created_at >= ${since.toISOString()}::timestamptz
          and event.type in ('matched', 'canceled', 'expired')
        order by event.id desc limit ${limit}`,
  );
  return rows.map(toEvent);
}

function toEvent(row: EventRow): OrderEvent {
  return {
    id: row.id,
    type: row.type,
    orderId: row.order_id,
    userId: row.user_id,
    marketId: row.market_id,
    fillId: row.fill_id,
    at: Number(row.at_ms),
  };
}

/** Selects the id of the newest event of any order; "0" before the first. */
export async function selectNewestEventId(tx: Tx): Promise<string> {
  const [row] = await tx
    .select({ id: orderEvents.id })
    .from(orderEvents)
    .orderBy(desc(orderEvents.id))
    .limit(1);
  return String(row?.id ?? 0n);
}

/** Selects fills by id, in the order of their creation. */
export async function selectFillsById(tx: Tx, ids: readonly string[]): Promise<FillRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(fills)
    .where(inArray(fills.id, [...ids]))
    .orderBy(fills.sequence);
}

/** Selects a market's last fill, the taker's one if the taker is a user; null before the first fill. */
export async function selectLastFill(tx: Tx, marketId: string): Promise<FillRow | null> {
  const [newest] = await tx
    .select()
    .from(fills)
    .where(eq(fills.marketId, marketId))
    .orderBy(desc(fills.sequence))
    .limit(1);
  if (!newest || newest.role === "taker") return newest ?? null;
  const sides = await tx.select().from(fills).where(eq(fills.tradeId, newest.tradeId));
  return sides.find(({ role }) => role === "taker") ?? newest;
}
