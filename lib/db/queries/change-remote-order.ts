import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, jsonOf, textArray, writeTogether } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { RemoteOrder, SettlementRow } from "@/lib/db/queries/remote-orders";
import type { FillInsert, OrderEventInsert } from "@/lib/db/rows";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { fills, orderEvents } from "@/lib/db/schema/trading";
import { lockAccounts } from "@/lib/ledger/accounts";
import { accountsOf, type Transfer, transferWrites } from "@/lib/ledger/transfers";

/** Everything that becomes different with one order. */
export interface RemoteChange {
  /** The order as it was, and as it is now. */
  former: RemoteOrder;
  next: RemoteOrder;
  made: readonly { fill: FillInsert; settlement: SettlementRow }[];
  settled: readonly SettlementRow[];
  transfers: readonly Transfer[];
  events: readonly OrderEventInsert[];
  at: Date;
  /** The answer to whoever placed it, which is kept unless one was kept before. */
  answer: { status: number; body: string } | null;
}

/** Writes a change in a transaction that holds the order's lock. */
export async function writeRemoteChange(tx: Tx, change: RemoteChange): Promise<void> {
  await lockAccounts(tx, accountsOf(change.transfers));
  await writeTogether(tx, writesOf(change, sql`true`));
}

const IS_READY = sql`exists (select from ready)`;

/**
 * Writes a change in one statement, which is a transaction by itself, if the order still is as it
 * was. Everything that ever happens to an order, a fill among it, changes what is compared here.
 *
 * @returns whether it was written; if not, nothing of it was.
 */
export async function writeIfStill(tx: Tx, change: RemoteChange): Promise<boolean> {
  // What a fill moves may go to accounts that are not there yet.
  if (change.made.length > 0 || change.settled.length > 0) return false;
  const writes = writesOf(change, IS_READY);
  if (writes.length === 0) return false;
  const accounts = new Set(accountsOf(change.transfers).map(({ id }) => id));
  const parts = writes.map((write, index) => sql`, ${sql.raw(`write_${index}`)} as (${write})`);
  const [row] = await selectRows<{ is_ready: boolean }>(
    tx,
    // Locks in the order of everybody else: the order, then accounts by the bytes of their ids.
    sql`with locked as (${lockedIfStill(change.former)}), accounts as (
          select id from ledger_accounts
          where id = any(${textArray([...accounts])}::text::text[]) and exists (select from locked)
          order by id collate "C"
          for update
        ), ready as (
          select id from locked where (select count(*) from accounts) = ${accounts.size}::integer
        )${sql.join(parts)}
        select ${IS_READY} as is_ready`,
  );
  return row?.is_ready === true;
}

function lockedIfStill({ order, remote }: RemoteOrder): SQL {
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

function writesOf(change: RemoteChange, condition: SQL): SQL[] {
  const { made, settled, transfers, events, at } = change;
  return [
    ...orderWrites(change, condition),
    ...(made.length > 0
      ? [
          sql`${insertRows(
            fills,
            made.map(({ fill }) => fill),
          )} where ${condition}`,
          sql`${insertRows(
            fillSettlements,
            made.map(({ settlement }) => settlement),
          )}
            where ${condition}`,
        ]
      : []),
    ...settlementWrites(settled, condition),
    ...transferWrites(transfers, at, condition),
    ...(events.length > 0 ? [sql`${insertRows(orderEvents, events)} where ${condition}`] : []),
    ...answerWrites(change, condition),
  ];
}

function orderWrites({ former, next }: RemoteChange, condition: SQL): SQL[] {
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
          cancel_requested_at = ${instant(remote.cancelRequestedAt)},
          cancel_key_id = ${remote.cancelKeyId}::text
        where order_id = ${remote.orderId}::text and ${condition}`,
    );
  }
  return writes;
}

function settlementWrites(settled: readonly SettlementRow[], condition: SQL): SQL[] {
  if (settled.length === 0) return [];
  return [
    sql`update fill_settlements as target set status = v.status,
        transaction_hash = v."transactionHash", updated_at = v."updatedAt"
      from json_to_recordset(${jsonOf(settled)}::text::json) as v
        ("fillId" text, status text, "transactionHash" text, "updatedAt" timestamptz)
      where target.fill_id = v."fillId" and ${condition}`,
  ];
}

function answerWrites({ answer, next: { remote } }: RemoteChange, condition: SQL): SQL[] {
  if (answer === null) return [];
  return [
    sql`update idempotency_keys set status = ${answer.status}::integer, body = ${answer.body}::text
      where user_id = ${remote.userId}::text and key_hash = ${remote.keyHash}::text
        and body is null and ${condition}`,
  ];
}

const micro = (amount: bigint): SQL => sql`${amount.toString()}::text::bigint`;
const instant = (at: Date | null): SQL => sql`${at && at.toISOString()}::text::timestamptz`;
