import "server-only";
import DataLoader from "dataloader";
import { eq, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { getDb } from "@/lib/db/client";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import type { ApiKeyRow } from "@/lib/db/queries/api-keys";
import { ofMode } from "@/lib/db/queries/mode";
import { apiKeys, liveWallets, users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { orderEvents, orders } from "@/lib/db/schema/trading";
import type { Mode } from "@/lib/venue/port";

/** The owner of an API key, with the versions of the account's data at that moment. */
export interface CallerRow {
  key: ApiKeyRow;
  userStatus: "active" | "disabled";
  /**
   * Changes whenever cash, holdings, open orders or the allowance of a paper account change. Null in
   * live mode, where the venue has the data.
   */
  accountVersion: string | null;
  /** Version of the open orders, in live mode too; null if the request does not read them. */
  openOrdersVersion: string | null;
  /** Version of the requested order; null if it is not the caller's order. */
  orderVersion: string | null;
  /** When a live account was last reconciled; null on paper and before the first time. */
  comparedAt: Date | null;
}

interface CallerQuery {
  keyId: string;
  /** The order that the request reads; null for none. */
  orderId: string | null;
  /** Whether the request reads the open orders. */
  ofOpenOrders: boolean;
}

/** Defaults of the columns that only one of the two queries selects. */
const COLUMN_DEFAULTS = { accountVersion: null, openOrdersVersion: null, comparedAt: null };

const POSITION = sql<number>`wanted.position`;
// Subselects hide the lists' lengths from the planner. If it knew them, it would plan every run anew.
const WANTED = sql`unnest((select ${sql.placeholder("keyIds")}::text::text[]),
    (select ${sql.placeholder("orderIds")}::text::text[]),
    (select ${sql.placeholder("ofOpenOrders")}::text::boolean[]))
  with ordinality as wanted (key_id, order_id, of_open_orders, position)`;

/**
 * Looks up the requested key in a lateral subquery. `offset 0` stops the planner from merging it into
 * the join, where it would scan a thousand keys, and more without statistics.
 */
const selectKey = (tx: Tx, mode: Mode) =>
  tx
    .select()
    .from(apiKeys)
    .where(sql`${apiKeys.id} = wanted.key_id and ${eq(apiKeys.mode, mode)} offset 0`)
    .as("api_keys");

// A row's xmin is the transaction that wrote it last. Every transfer writes the cash rows of its
// accounts (lib/ledger/transfers), and every change of a paper order writes the order's row.
const selectPaperCallers = prepareOnce((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      accountVersion: sql<string>`concat_ws('/', ${users.epoch}, ${ledgerAccounts}.xmin, ${wallets}.xmin)`,
      orderVersion: sql<string | null>`(
        select ${orders}.xmin::text from ${orders} where ${orders.id} = wanted.order_id
          and ${orders.userId} = ${apiKeys.userId} and ${ofMode(orders.epoch, "paper")})`,
    })
    .from(WANTED)
    .innerJoinLateral(selectKey(tx, "paper"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .leftJoin(
      ledgerAccounts,
      // The id scheme of lib/ledger/accounts.
      eq(ledgerAccounts.id, sql`${users.id} || '/' || ${users.epoch} || '/usdc/available'`),
    )
    .prepare("paper_callers"),
);

// The list of open orders depends on nothing but the orders' rows. One live order also depends on its
// events and on the wallet's addresses.
const selectLiveCallers = prepareOnce((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      openOrdersVersion: sql<string | null>`case when wanted.of_open_orders then (
        select md5(coalesce(string_agg(concat_ws('/', ${orders.id}, ${orders}.xmin), ' '
          order by ${orders.id}), ''))
        from ${orders} where ${orders.userId} = ${apiKeys.userId}
          and ${orders.status} in ('open', 'delayed') and ${ofMode(orders.epoch, "live")}) end`,
      orderVersion: sql<string | null>`(
        select concat_ws('/', ${orders}.xmin, ${liveWallets}.xmin, (
          select max(${orderEvents.id}) from ${orderEvents}
          where ${orderEvents.orderId} = wanted.order_id))
        from ${orders} join ${liveWallets} on ${liveWallets.userId} = ${orders.userId}
        where ${orders.id} = wanted.order_id
          and ${orders.userId} = ${apiKeys.userId} and ${ofMode(orders.epoch, "live")})`,
      comparedAt: reconciliations.succeededAt,
    })
    .from(WANTED)
    .innerJoinLateral(selectKey(tx, "live"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(reconciliations, eq(reconciliations.userId, users.id))
    .prepare("live_callers"),
);

const loaders: Record<Mode, DataLoader<CallerQuery, CallerRow | null>> = {
  paper: createCallerLoader(selectPaperCallers),
  live: createCallerLoader(selectLiveCallers),
};

/** Finds a key of a mode with its owner and the account's versions; null for an unknown id. */
export function findCaller(mode: Mode, query: CallerQuery): Promise<CallerRow | null> {
  return loaders[mode].load(query);
}

/**
 * Concurrent requests share a statement. It starts after the last of them asked, so each sees
 * everything that was committed before.
 */
function createCallerLoader(select: typeof selectPaperCallers | typeof selectLiveCallers) {
  const loadAll = async (queries: readonly CallerQuery[]) => {
    const rows = await select(await getDb()).execute({
      keyIds: toTextArray(queries.map(({ keyId }) => keyId)),
      orderIds: toTextArray(queries.map(({ orderId }) => orderId ?? "")),
      ofOpenOrders: toTextArray(queries.map(({ ofOpenOrders }) => String(ofOpenOrders))),
    });
    const found: (CallerRow | null)[] = queries.map(() => null);
    for (const { position, ...caller } of rows) {
      found[Number(position) - 1] = { ...COLUMN_DEFAULTS, ...caller };
    }
    return found;
  };
  return new DataLoader(loadAll, {
    // Each request reads the current row.
    cache: false,
    // Requests arrive in separate callbacks of the event loop. By default, each would get a statement.
    batchScheduleFn: (dispatch) => void setImmediate(dispatch),
  });
}
