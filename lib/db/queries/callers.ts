import "server-only";
import { eq, sql } from "drizzle-orm";
import { textArray } from "@/lib/db/batch";
import { getDb } from "@/lib/db/client";
import { compiled } from "@/lib/db/compiled";
import { gathered } from "@/lib/db/gathered";
import type { ApiKeyRow } from "@/lib/db/queries/api-keys";
import { ofMode } from "@/lib/db/queries/mode";
import { apiKeys, users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { orders } from "@/lib/db/schema/trading";

/** Who asks with a key, and what the caller's records were at that moment. */
export interface CallerRow {
  key: ApiKeyRow;
  userStatus: "active" | "disabled";
  /**
   * Another text whenever anything has moved in the paper account: cash, holdings, open orders,
   * allowance. Null in live mode, where the venue is asked.
   */
  accountStamp: string | null;
  /** The same of the order asked for; null in live mode, and for what is not the caller's order. */
  orderStamp: string | null;
}

interface Wanted {
  keyId: string;
  /** An order that the caller asks for; null for none. */
  orderId: string | null;
}

// A row's xmin is the transaction that wrote it last. Every transfer writes the cash of the accounts
// it touches (lib/ledger/transfers), and everything that happens to an order writes the order.
const callers = compiled((tx) =>
  tx
    .select({
      position: sql<number>`wanted.position`,
      key: apiKeys,
      userStatus: users.status,
      accountStamp: sql<string | null>`case when ${apiKeys.mode} = 'paper'
        then concat_ws('/', ${users.epoch}, ${ledgerAccounts}.xmin, ${wallets}.xmin) end`,
      orderStamp: sql<string | null>`case when ${apiKeys.mode} = 'paper'
        then (select ${orders}.xmin::text from ${orders} where ${orders.id} = wanted.order_id
          and ${orders.userId} = ${apiKeys.userId} and ${ofMode(orders.epoch, "paper")}) end`,
    })
    .from(
      // Lists that the planner cannot look into: knowing how few there are, it would plan every time.
      sql`unnest((select ${sql.placeholder("keyIds")}::text::text[]),
          (select ${sql.placeholder("orderIds")}::text::text[]))
        with ordinality as wanted (key_id, order_id, position)`,
    )
    .innerJoin(apiKeys, eq(apiKeys.id, sql`wanted.key_id`))
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .leftJoin(
      ledgerAccounts,
      // The id that lib/ledger/accounts gives it.
      eq(ledgerAccounts.id, sql`${users.id} || '/' || ${users.epoch} || '/usdc/available'`),
    )
    .prepare("callers"),
);

/** The key of that id, with what is known of its owner; null for an unknown id. */
export const findCaller = gathered(async (wanted: readonly Wanted[]) => {
  const rows = await callers(await getDb()).execute({
    keyIds: textArray(wanted.map(({ keyId }) => keyId)),
    orderIds: textArray(wanted.map(({ orderId }) => orderId ?? "")),
  });
  const found: (CallerRow | null)[] = wanted.map(() => null);
  for (const { position, ...caller } of rows) found[Number(position) - 1] = caller;
  return found;
});
