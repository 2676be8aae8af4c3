import "server-only";
import { type Column, type SQL, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { Position } from "@/lib/db/queries/orders";
import type { MarketRow, OrderRow } from "@/lib/db/rows";
import { markets, orders } from "@/lib/db/schema/trading";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { price, shares } from "@/lib/units";

/** An open order with the names of its market. */
export type OpenOrderRow = Pick<
  OrderRow,
  "id" | "marketId" | "tokenId" | "outcome" | "action" | "type" | "price" | "shares" | "createdAt"
> &
  Pick<MarketRow, "title" | "slug" | "icon">;

export interface OpenOrderFilter {
  account: AccountRef;
  id?: string | undefined;
  /** Id or slug. */
  market?: string | undefined;
  tokenId?: string | undefined;
}

/** A row in JSON: integers as text, the time in milliseconds. */
interface JsonRow extends Omit<OpenOrderRow, "price" | "shares" | "createdAt"> {
  price: string | null;
  shares: string | null;
  createdAt: number;
}

// Each result is one value: a row costs the client more than the database. The statuses are in the
// words of the index over live orders.
const openOrderIds = prepareOnce((tx) =>
  tx
    .select({ ids: sql<string | null>`string_agg(page.id, ',')` })
    .from(
      sql`(
        select ${orders.id} from ${orders}
        where ${orders.userId} = ${sql.placeholder("userId")}
          and ${orders.status} in ('open', 'delayed')
          and (${orders.epoch} = ${sql.raw(String(LIVE_EPOCH))}) = ${sql.placeholder("isLive")}
          and ${matchesIfGiven(orders.id, "id")}
          and (${matchesIfGiven(orders.marketId, "market")} or ${orders.marketId} in (
            select ${markets.id} from ${markets} where ${markets.slug} = ${sql.placeholder("market")}))
          and ${matchesIfGiven(orders.tokenId, "tokenId")}
          and (${sql.placeholder("before")}::timestamptz is null
            or (${orders.createdAt}, ${orders.id})
              < (${sql.placeholder("before")}, ${sql.placeholder("beforeId")}::text))
        order by ${orders.createdAt} desc, ${orders.id} desc
        limit ${sql.placeholder("limit")}
      ) as page`,
    )
    .prepare("open_order_ids"),
);

const ordersById = prepareOnce((tx) =>
  tx
    .select({ rows: sql<OpenOrderRow[]>`coalesce(json_agg(page), '[]')`.mapWith(toRows) })
    .from(
      sql`(
        select ${orders.id}, ${orders.marketId} as "marketId", ${orders.tokenId} as "tokenId",
          ${orders.outcome}, ${orders.action},
          coalesce(${orders.requestedType}, ${orders.type}) as type, ${orders.price}::text as price,
          ${orders.shares}::text as shares,
          (extract(epoch from ${orders.createdAt}) * 1000)::float8 as "createdAt",
          ${markets.title}, ${markets.slug}, ${markets.icon}
        from ${orders} join ${markets} on ${markets.id} = ${orders.marketId}
        where ${orders.id} in (select unnest(${sql.placeholder("ids")}::text::text[]))
      ) as page`,
    )
    .prepare("open_orders_by_id"),
);

/** Selects the ids of one page of an account's open orders after `after`, newest first. */
export async function selectOpenOrderIds(
  tx: Tx,
  { account, id, market, tokenId }: OpenOrderFilter,
  after: Position | null,
  limit: number,
): Promise<string[]> {
  // Postgres cannot store NUL, so no value equals a text with one.
  if ([id, market, tokenId].some((text) => text?.includes("\0"))) return [];
  const [page] = await openOrderIds(tx).execute({
    userId: account.userId,
    isLive: account.mode === "live",
    id: id ?? null,
    market: market ?? null,
    tokenId: tokenId ?? null,
    before: after?.createdAt.toISOString() ?? null,
    beforeId: after?.id ?? null,
    limit,
  });
  return page?.ids?.split(",") ?? [];
}

/** Selects orders with the names of their markets, in any order. */
export async function selectOrdersById(tx: Tx, ids: readonly string[]): Promise<OpenOrderRow[]> {
  const [found] = await ordersById(tx).execute({ ids: toTextArray(ids) });
  return found?.rows ?? [];
}

/** Compares a column with an optional parameter; true without one. */
function matchesIfGiven(column: Column, name: string): SQL {
  return sql`(${sql.placeholder(name)}::text is null or ${column} = ${sql.placeholder(name)})`;
}

function toRows(rows: JsonRow[]): OpenOrderRow[] {
  return rows.map((row) => ({
    ...row,
    price: row.price === null ? null : price(BigInt(row.price)),
    shares: row.shares === null ? null : shares(BigInt(row.shares)),
    createdAt: new Date(row.createdAt),
  }));
}
