import "server-only";
import { eq, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { prepareOnce } from "@/lib/db/prepare-once";
import { type AccountRef, ofMode } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { FillRow, OrderEventRow, OrderRow } from "@/lib/db/rows";
import { liveWallets, wallets } from "@/lib/db/schema/accounts";
import { fills, orderEvents, orderReplacements, orders } from "@/lib/db/schema/trading";
import { shareStatement } from "@/lib/db/share-statement";
import { price, shares, usdc } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/** The fields of fills and events in the record of an order. */
export type RecordedFill = Pick<
  FillRow,
  "id" | "tradeId" | "role" | "price" | "shares" | "notional" | "fee" | "createdAt"
>;
export type RecordedEvent = Pick<OrderEventRow, "type" | "keyId" | "detail" | "createdAt">;

interface OrderWithHistory {
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

const FILL_LIST = sql<string>`(select coalesce(json_agg(json_build_array(id, trade_id, role, price_micro::text,
      shares_micro::text, notional_micro::text, fee_micro::text, created_at)
      order by sequence), '[]')::text
    from ${fills} where order_id = ${orders.id} and ${isNotReversed()})`;
/** The cancel that made room for another order has that order's idempotency key. */
const EVENT_DETAIL = sql`case when type = 'canceled' then detail || coalesce((
      select jsonb_build_object('replacementKey', ${orderReplacements.key}) from ${orderReplacements}
      where ${orderReplacements.orderId} = ${orders.id}), '{}') else detail end`;
const EVENT_LIST = sql<string>`(select coalesce(json_agg(json_build_array(type, key_id, ${EVENT_DETAIL}, created_at)
      order by ${orderEvents.id}), '[]')::text
    from ${orderEvents} where order_id = ${orders.id})`;
// Subselects hide the lists' length from the planner. If it knew it, it would plan every run anew.
const WANTED = sql`unnest((select ${sql.placeholder("orderIds")}::text::text[]),
    (select ${sql.placeholder("userIds")}::text::text[]))
  with ordinality as wanted (order_id, user_id, position)`;

const prepareRecords = (mode: Mode) =>
  prepareOnce((tx) => {
    const wallet = mode === "live" ? liveWallets : wallets;
    // `offset 0` makes Postgres look up each order by its index.
    const order = tx
      .select()
      .from(orders)
      .where(
        sql`${orders.id} = wanted.order_id and ${orders.userId} = wanted.user_id
          and ${ofMode(orders.epoch, mode)} offset 0`,
      )
      .as("orders");
    return tx
      .select({
        position: sql<number>`wanted.position`,
        order: orders,
        address: wallet.address,
        funderAddress: wallet.funderAddress,
        fillList: FILL_LIST,
        eventList: EVENT_LIST,
      })
      .from(WANTED)
      .innerJoinLateral(order, sql`true`)
      .leftJoin(wallet, eq(wallet.userId, orders.userId))
      .prepare(`${mode}_order_records`);
  });

interface OrderKey {
  orderId: string;
  userId: string;
}

const findByMode = {
  paper: makeFinder(prepareRecords("paper")),
  live: makeFinder(prepareRecords("live")),
};

/**
 * Finds an order of an account with its fills and events, in one statement and so at one point in time.
 * Null if it does not belong to the account.
 */
export async function findOrderRecord(
  { userId, mode }: AccountRef,
  orderId: string,
): Promise<OrderWithHistory | null> {
  const row = await findByMode[mode]({ orderId, userId });
  if (!row) return null;
  const { order, address, funderAddress, fillList, eventList } = row;
  return {
    order,
    wallet: address === null || funderAddress === null ? null : { address, funderAddress },
    fills: (JSON.parse(fillList) as FillText[]).map(toFill),
    events: (JSON.parse(eventList) as EventText[]).map(([type, keyId, detail, at]) => ({
      type,
      keyId,
      detail,
      createdAt: new Date(at),
    })),
  };
}

function makeFinder(select: ReturnType<typeof prepareRecords>) {
  return shareStatement((db, keys: readonly OrderKey[]) =>
    select(db).execute({
      orderIds: toTextArray(keys.map(({ orderId }) => orderId)),
      userIds: toTextArray(keys.map(({ userId }) => userId)),
    }),
  );
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
