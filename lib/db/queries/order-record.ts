import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { listColumns, decodeRow } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { FillRow, OrderEventRow, OrderRow } from "@/lib/db/rows";
import { liveWallets, wallets } from "@/lib/db/schema/accounts";
import { fills, orderEvents, orders } from "@/lib/db/schema/trading";
import { price, shares, usdc } from "@/lib/units";

/** The fields of fills and events in the record of an order. */
export type RecordedFill = Pick<
  FillRow,
  "id" | "tradeId" | "role" | "price" | "shares" | "notional" | "fee" | "createdAt"
>;
export type RecordedEvent = Pick<OrderEventRow, "type" | "keyId" | "detail" | "createdAt">;

interface SelectedOrderRecord {
  order: OrderRow;
  /** Null if the account has no wallet. */
  wallet: { address: string; funderAddress: string } | null;
  fills: RecordedFill[];
  events: RecordedEvent[];
}

type FillText = [string, string, FillRow["role"], string, string, string, string, string];
type EventText = [
  OrderEventRow["type"],
  string | null,
  OrderEventRow["detail"],
  OrderEventRow["createdAt"],
];

interface RawRow extends Record<string, unknown> {
  wallet_address: string | null;
  wallet_funder: string;
  fill_list: string;
  event_list: string;
}

/** Selects an order with its fills and events, in one statement and so at one point in time. */
export async function selectOrderRecord(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<SelectedOrderRecord | null> {
  const wallet = account.mode === "live" ? liveWallets : wallets;
  const [raw] = await selectRows<RawRow>(
    tx,
    sql`select ${listColumns(orders, "orders")}, ${wallet.address} as wallet_address,
          ${wallet.funderAddress} as wallet_funder,
          (select coalesce(json_agg(json_build_array(id, trade_id, role, price_micro::text,
              shares_micro::text, notional_micro::text, fee_micro::text, created_at)
              order by sequence), '[]')::text
            from ${fills} where order_id = ${orders.id} and ${isNotReversed()}) as fill_list,
          (select coalesce(json_agg(json_build_array(type, key_id, detail, created_at)
              order by ${orderEvents.id}), '[]')::text
            from ${orderEvents} where order_id = ${orders.id}) as event_list
        from ${orders} left join ${wallet} on ${wallet.userId} = ${orders.userId}
        where ${and(eq(orders.id, id), ofAccount(orders, account))}`,
  );
  if (!raw) return null;
  const { wallet_address: address, wallet_funder: funderAddress } = raw;
  return {
    order: decodeRow(orders, raw),
    wallet: address === null ? null : { address, funderAddress },
    fills: (JSON.parse(raw.fill_list) as FillText[]).map(toFill),
    events: (JSON.parse(raw.event_list) as EventText[]).map(([type, keyId, detail, at]) => ({
      type,
      keyId,
      detail,
      createdAt: new Date(at),
    })),
  };
}

function toFill([id, tradeId, role, ...figures]: FillText): RecordedFill {
  const [at, size, paid, fee, createdAt] = figures;
  return {
    id,
    tradeId,
    role,
    price: price(BigInt(at)),
    shares: shares(BigInt(size)),
    notional: usdc(BigInt(paid)),
    fee: usdc(BigInt(fee)),
    createdAt: new Date(createdAt),
  };
}
