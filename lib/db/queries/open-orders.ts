import "server-only";
import { type Column, type SQL, sql } from "drizzle-orm";
import { compiled } from "@/lib/db/compiled";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { Position } from "@/lib/db/queries/orders";
import type { MarketRow, OrderRow } from "@/lib/db/rows";
import { markets, orders } from "@/lib/db/schema/trading";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { price, shares } from "@/lib/units";

/** An order that may still trade, with its market's words. */
export type OpenOrderRow = Pick<
  OrderRow,
  "id" | "marketId" | "tokenId" | "outcome" | "action" | "type" | "price" | "shares" | "createdAt"
> &
  Pick<MarketRow, "title" | "slug" | "icon">;

export interface OpenOrderFilter {
  account: AccountRef;
  id?: string | undefined;
  marketId?: string | undefined;
  tokenId?: string | undefined;
}

/** A row as JSON holds it: integers as text, the instant in milliseconds. */
interface Line extends Omit<OpenOrderRow, "price" | "shares" | "createdAt"> {
  price: string | null;
  shares: string | null;
  createdAt: number;
}

// The page is one value: a row costs the client more than the database. The statuses are in the
// words of the index over live orders.
const openOrders = compiled((tx) =>
  tx
    .select({ rows: sql<OpenOrderRow[]>`coalesce(json_agg(page), '[]')`.mapWith(toRows) })
    .from(
      sql`(
        select ${orders.id}, ${orders.marketId} as "marketId", ${orders.tokenId} as "tokenId",
          ${orders.outcome}, ${orders.action}, ${orders.type}, ${orders.price}::text as price,
          ${orders.shares}::text as shares,
          (extract(epoch from ${orders.createdAt}) * 1000)::float8 as "createdAt",
          ${markets.title}, ${markets.slug}, ${markets.icon}
        from ${orders} join ${markets} on ${markets.id} = ${orders.marketId}
        where ${orders.userId} = ${sql.placeholder("userId")}
          and ${orders.status} in ('open', 'delayed')
          and (${orders.epoch} = ${sql.raw(String(LIVE_EPOCH))}) = ${sql.placeholder("isLive")}
          and ${isAsked(orders.id, "id")}
          and ${isAsked(orders.marketId, "marketId")}
          and ${isAsked(orders.tokenId, "tokenId")}
          and (${sql.placeholder("before")}::timestamptz is null
            or (${orders.createdAt}, ${orders.id})
              < (${sql.placeholder("before")}, ${sql.placeholder("beforeId")}::text))
        order by ${orders.createdAt} desc, ${orders.id} desc
        limit ${sql.placeholder("limit")}
      ) as page`,
    )
    .prepare("open_orders"),
);

/** One page of the orders of an account that may still trade, newest first, from `after` on. */
export async function selectOpenOrders(
  tx: Tx,
  { account, id, marketId, tokenId }: OpenOrderFilter,
  after: Position | null,
  limit: number,
): Promise<OpenOrderRow[]> {
  // Postgres cannot store NUL, so nothing equals a text that holds one.
  if ([id, marketId, tokenId].some((text) => text?.includes("\0"))) return [];
  const [page] = await openOrders(tx).execute({
    userId: account.userId,
    isLive: account.mode === "live",
    id: id ?? null,
    marketId: marketId ?? null,
    tokenId: tokenId ?? null,
    before: after?.createdAt.toISOString() ?? null,
    beforeId: after?.id ?? null,
    limit,
  });
  return page?.rows ?? [];
}

/** Equality with a value that may not be given. */
function isAsked(column: Column, name: string): SQL {
  return sql`(${sql.placeholder(name)}::text is null or ${column} = ${sql.placeholder(name)})`;
}

function toRows(lines: Line[]): OpenOrderRow[] {
  return lines.map((line) => ({
    ...line,
    price: line.price === null ? null : price(BigInt(line.price)),
    shares: line.shares === null ? null : shares(BigInt(line.shares)),
    createdAt: new Date(line.createdAt),
  }));
}
