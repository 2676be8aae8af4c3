import "server-only";
import { type SQL, sql } from "drizzle-orm";
import {
  combineWrites,
  insertRows,
  type NamedQuery,
  toJsonRows,
  writeTogether,
} from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { RemoteOrder, SettlementRow } from "@/lib/db/queries/remote-orders";
import type { FillInsert, OrderEventInsert } from "@/lib/db/rows";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { fills } from "@/lib/db/schema/trading";
import { buildOrderEventInsert } from "@/lib/db/queries/order-events";
import type { EventDraft } from "@/lib/ledger/account-log";
import { type Transfer, buildPosting } from "@/lib/ledger/transfers";

/** All changes of one order, which are written together. */
export interface RemoteChange {
  /** The order before and after the change. */
  former: RemoteOrder;
  next: RemoteOrder;
  newFills: readonly { fill: FillInsert; settlement: SettlementRow }[];
  settled: readonly SettlementRow[];
  transfers: readonly Transfer[];
  events: readonly OrderEventInsert[];
  accountEvents: readonly EventDraft[];
  at: Date;
  /** The response to its placement. It is stored unless one is stored already. */
  answer: { status: number; body: string } | null;
  /** Replaces a stored response that was wrong. A null `answer` then deletes it. */
  isAnswerReplaced: boolean;
}

/** Writes a change in a transaction that has locked the order. */
export async function writeRemoteChange(tx: Tx, change: RemoteChange): Promise<void> {
  await writeTogether(tx, buildWrites(change, sql`true`));
}

const IS_UNCHANGED = sql`exists (select from unchanged)`;

/**
 * Writes a change in one statement, and so in one transaction, if the stored order still equals
 * `former`. Every change of an order, including a fill, changes at least one compared column.
 *
 * @returns whether the change was written; otherwise nothing was.
 */
export async function writeIfUnchanged(tx: Tx, change: RemoteChange): Promise<boolean> {
  // A fee depends on the market, which is read with the locked order.
  if (change.newFills.length > 0 || change.settled.length > 0) return false;
  const writes = buildWrites(change, IS_UNCHANGED);
  if (writes.length === 0) return false;
  // All statements lock in this order: the order, then accounts by the bytes of their ids.
  const unchanged = { name: "unchanged", query: lockIfUnchanged(change.former) };
  const [row] = await selectRows<{ is_unchanged: boolean }>(
    tx,
    combineWrites([unchanged, ...writes], sql`${IS_UNCHANGED} as is_unchanged`),
  );
  return row?.is_unchanged === true;
}

function lockIfUnchanged({ order, remote }: RemoteOrder): SQL {
  return sql`select orders.id
    from orders join remote_orders as remote on remote.order_id = orders.id
    where orders.id = ${order.id}::text and orders.status = ${order.status}::text
      and orders.filled_shares_micro = ${micro(order.filledShares)}
      and orders.filled_notional_micro = ${micro(order.filledNotional)}
      and orders.fee_micro = ${micro(order.fee)} and orders.held_micro = ${micro(order.held)}
      and orders.updated_at = ${instant(order.updatedAt)}
      and remote.is_ambiguous = ${remote.isAmbiguous}::boolean
      and remote.posting_until = ${instant(remote.postingUntil)}
      and remote.unseen_count = ${remote.unseenCount}::integer
      and remote.not_open_at is not distinct from ${instant(remote.notOpenAt)}
      and remote.cancel_requested_at is not distinct from ${instant(remote.cancelRequestedAt)}
    for update`;
}

function buildWrites(change: RemoteChange, condition: SQL): (SQL | NamedQuery)[] {
  const { newFills, settled, transfers, events, accountEvents, at } = change;
  return [
    ...buildOrderWrites(change, condition),
    ...(newFills.length > 0
      ? [
          sql`${insertRows(
            fills,
            newFills.map(({ fill }) => fill),
          )} where ${condition}`,
          sql`${insertRows(
            fillSettlements,
            newFills.map(({ settlement }) => settlement),
          )}
            where ${condition}`,
        ]
      : []),
    ...buildSettlementWrites(settled, condition),
    ...buildPosting({ transfers, events: accountEvents }, at, { condition }),
    ...(events.length > 0 ? [sql`${buildOrderEventInsert(events)} where ${condition}`] : []),
    ...buildAnswerWrites(change, condition),
  ];
}

function buildOrderWrites({ former, next }: RemoteChange, condition: SQL): SQL[] {
  const { order, remote } = next;
  const writes: SQL[] = [];
  if (order !== former.order) {
    writes.push(
      sql`update orders set status = ${order.status}::text,
          filled_shares_micro = ${micro(order.filledShares)},
          filled_notional_micro = ${micro(order.filledNotional)},
          fee_micro = ${micro(order.fee)}, held_micro = ${micro(order.held)},
          updated_at = ${instant(order.updatedAt)}
        where id = ${order.id}::text and ${condition}`,
    );
  }
  if (remote !== former.remote) {
    writes.push(
      sql`update remote_orders set is_ambiguous = ${remote.isAmbiguous}::boolean,
          posting_until = ${instant(remote.postingUntil)},
          unseen_count = ${remote.unseenCount}::integer,
          not_open_at = ${instant(remote.notOpenAt)},
          venue_matched_micro = ${remote.venueMatched === null ? sql`null` : micro(remote.venueMatched)},
          cancel_requested_at = ${instant(remote.cancelRequestedAt)},
          cancel_key_id = ${remote.cancelKeyId}::text
        where order_id = ${remote.orderId}::text and ${condition}`,
    );
  }
  return writes;
}

function buildSettlementWrites(settled: readonly SettlementRow[], condition: SQL): SQL[] {
  if (settled.length === 0) return [];
  return [
    sql`update fill_settlements as target set status = v.status,
        transaction_hash = v."transactionHash", updated_at = v."updatedAt",
        venue_notional_micro = v."venueNotional"
      from json_to_recordset(${toJsonRows(settled)}::text::json) as v
        ("fillId" text, status text, "transactionHash" text, "updatedAt" timestamptz,
          "venueNotional" bigint)
      where target.fill_id = v."fillId" and ${condition}`,
  ];
}

function buildAnswerWrites(change: RemoteChange, condition: SQL): SQL[] {
  const { answer, isAnswerReplaced, next } = change;
  if (answer === null && !isAnswerReplaced) return [];
  const { userId, keyHash } = next.remote;
  // An external order has no placement request that waits for a response.
  if (keyHash === null) return [];
  return [
    sql`update idempotency_keys set status = ${answer?.status ?? null}::integer,
          body = ${answer?.body ?? null}::text
      where user_id = ${userId}::text and key_hash = ${keyHash}::text
        and (body is null or ${isAnswerReplaced}::boolean) and ${condition}`,
  ];
}

const micro = (amount: bigint): SQL => sql`${amount.toString()}::text::bigint`;
const instant = (at: Date | null): SQL => sql`${at && at.toISOString()}::text::timestamptz`;
