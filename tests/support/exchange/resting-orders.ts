import { sql } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { type Price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { place } from "@/tests/support/exchange/orders";
import type { TestUser } from "@/tests/support/users";

const SIZE = shares(5_000_000n);

/**
 * Creates many bids of a user for the first token at one price: one is placed, the others are written
 * as copies of it, with their keys, events, transfers and balances, in a few statements.
 *
 * @returns the id of the placed bid.
 */
export async function restManyBids(
  user: TestUser,
  market: PaperMarket,
  { count, at, expiresAt = null }: { count: number; at: Price; expiresAt?: number | null },
): Promise<string> {
  const bid = { market, action: "BUY", outcome: 0, limit: at, size: SIZE } as const;
  const { orderId, status } = await place(user, bid);
  if (status !== "open") throw new Error(`the first bid is ${status}`);
  const copies = count - 1;
  const db = await getDb();
  const expiry = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const copyId = sql`${orderId}::text || '_' || n`;
  const template = (table: string, id: string) =>
    sql.raw(`from ${table}, generate_series(1, ${copies}) n where ${table}.${id} = '${orderId}'`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`update orders set expires_at = ${expiry}::timestamptz
      where id = ${orderId}`);
    await tx.execute(sql`insert into orders select (copy).* from (
      select jsonb_populate_record(orders, jsonb_build_object('id', ${copyId},
        'sequence', nextval('orders_sequence_seq'))) as copy
      ${template("orders", "id")}) copies`);
    await tx.execute(sql`insert into idempotency_keys select (copy).* from (
      select jsonb_populate_record(idempotency_keys, jsonb_build_object('order_id', ${copyId},
        'key_hash', key_hash || n)) as copy
      ${template("idempotency_keys", "order_id")}) copies`);
    await tx.execute(sql`insert into order_events (order_id, type, key_id, detail, created_at,
        is_logged)
      select ${copyId}, type, key_id, detail, created_at, is_logged ${template("order_events", "order_id")}`);
    const held = sql`(select held_micro from orders where id = ${orderId})`;
    await tx.execute(sql`insert into ledger_transfers (id, kind, asset, debit_account,
        credit_account, amount_micro, group_id, order_id, market_id, created_at)
      select ${copyId} || ':hold', kind, asset, debit_account, credit_account, ${held}, ${copyId},
        ${copyId}, market_id, created_at
      ${template("ledger_transfers", "order_id")} and kind = 'hold'`);
    await tx.execute(sql`update ledger_accounts
      set balance_micro = balance_micro + ${held} * ${copies}::bigint
        * case kind when 'held' then 1 else -1 end
      where user_id = ${user.userId} and asset = 'usdc'`);
  });
  return orderId;
}
