import "server-only";
import { eq, sql } from "drizzle-orm";
import { textArray } from "@/lib/db/batch";
import { getDb } from "@/lib/db/client";
import { compiled } from "@/lib/db/compiled";
import type { Tx } from "@/lib/db/database";
import { gathered } from "@/lib/db/gathered";
import type { ApiKeyRow } from "@/lib/db/queries/api-keys";
import { ofMode } from "@/lib/db/queries/mode";
import { apiKeys, liveWallets, users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { orderEvents, orders } from "@/lib/db/schema/trading";
import type { Mode } from "@/lib/venue/port";

/** Who asks with a key, and what the caller's records were at that moment. */
export interface CallerRow {
  key: ApiKeyRow;
  userStatus: "active" | "disabled";
  /**
   * Another text whenever anything has moved in the paper account: cash, holdings, open orders,
   * allowance. Null in live mode, where the venue is asked.
   */
  accountStamp: string | null;
  /** The same of the open orders alone, in live mode too; null where nobody asks for them. */
  openOrdersStamp: string | null;
  /** The same of the order asked for; null for what is not the caller's order. */
  orderStamp: string | null;
}

interface Wanted {
  keyId: string;
  /** An order that the caller asks for; null for none. */
  orderId: string | null;
  /** Whether the caller asks for the open orders. */
  ofOpenOrders: boolean;
}

const POSITION = sql<number>`wanted.position`;
// Lists that the planner cannot look into: knowing how few there are, it would plan every time.
const WANTED = sql`unnest((select ${sql.placeholder("keyIds")}::text::text[]),
    (select ${sql.placeholder("orderIds")}::text::text[]),
    (select ${sql.placeholder("ofOpenOrders")}::text::boolean[]))
  with ordinality as wanted (key_id, order_id, of_open_orders, position)`;

/**
 * The key that is wanted, looked up by itself: if it could join them as it likes, the planner would
 * rather read a thousand keys through, and without statistics even more.
 */
const keyOf = (tx: Tx, mode: Mode) =>
  tx
    .select()
    .from(apiKeys)
    .where(sql`${apiKeys.id} = wanted.key_id and ${eq(apiKeys.mode, mode)} offset 0`)
    .as("api_keys");

// A row's xmin is the transaction that wrote it last. Every transfer writes the cash of the accounts
// it touches (lib/ledger/transfers), and everything that happens to a paper order writes the order.
const paperCallers = compiled((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      accountStamp: sql<string>`concat_ws('/', ${users.epoch}, ${ledgerAccounts}.xmin, ${wallets}.xmin)`,
      orderStamp: sql<string | null>`(
        select ${orders}.xmin::text from ${orders} where ${orders.id} = wanted.order_id
          and ${orders.userId} = ${apiKeys.userId} and ${ofMode(orders.epoch, "paper")})`,
    })
    .from(WANTED)
    .innerJoinLateral(keyOf(tx, "paper"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .leftJoin(
      ledgerAccounts,
      // The id that lib/ledger/accounts gives it.
      eq(ledgerAccounts.id, sql`${users.id} || '/' || ${users.epoch} || '/usdc/available'`),
    )
    .prepare("paper_callers"),
);

// The list is made of nothing but its orders. What is only told of a live order is an event, and its
// addresses are those of the wallet.
const liveCallers = compiled((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      openOrdersStamp: sql<string | null>`case when wanted.of_open_orders then (
        select md5(coalesce(string_agg(concat_ws('/', ${orders.id}, ${orders}.xmin), ' '
          order by ${orders.id}), ''))
        from ${orders} where ${orders.userId} = ${apiKeys.userId}
          and ${orders.status} in ('open', 'delayed') and ${ofMode(orders.epoch, "live")}) end`,
      orderStamp: sql<string | null>`(
        select concat_ws('/', ${orders}.xmin, ${liveWallets}.xmin, (
          select max(${orderEvents.id}) from ${orderEvents}
          where ${orderEvents.orderId} = wanted.order_id))
        from ${orders} join ${liveWallets} on ${liveWallets.userId} = ${orders.userId}
        where ${orders.id} = wanted.order_id
          and ${orders.userId} = ${apiKeys.userId} and ${ofMode(orders.epoch, "live")})`,
    })
    .from(WANTED)
    .innerJoinLateral(keyOf(tx, "live"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .prepare("live_callers"),
);

const findIn: Record<Mode, (wanted: Wanted) => Promise<CallerRow | null>> = {
  paper: gatheredFrom(paperCallers),
  live: gatheredFrom(liveCallers),
};

/** The key of that id and mode, with what is known of its owner; null for an unknown id. */
export function findCaller(mode: Mode, wanted: Wanted): Promise<CallerRow | null> {
  return findIn[mode](wanted);
}

function gatheredFrom(callers: typeof paperCallers | typeof liveCallers) {
  return gathered(async (wanted: readonly Wanted[]) => {
    const rows = await callers(await getDb()).execute({
      keyIds: textArray(wanted.map(({ keyId }) => keyId)),
      orderIds: textArray(wanted.map(({ orderId }) => orderId ?? "")),
      ofOpenOrders: textArray(wanted.map(({ ofOpenOrders }) => String(ofOpenOrders))),
    });
    const found: (CallerRow | null)[] = wanted.map(() => null);
    for (const { position, ...caller } of rows) {
      found[Number(position) - 1] = { accountStamp: null, openOrdersStamp: null, ...caller };
    }
    return found;
  });
}
