import "server-only";
import { sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { Position } from "@/lib/db/queries/orders";
import type { MarketRow, OrderRow } from "@/lib/db/rows";
import { markets, orders } from "@/lib/db/schema/trading";
import { shareStatement } from "@/lib/db/share-statement";
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

/** The account, filters and limits of a page, with their types. A parameter has one of them for all pages. */
const WANTED_TYPES = {
  userId: "text",
  isLive: "boolean",
  id: "text",
  market: "text",
  tokenId: "text",
  before: "timestamptz",
  beforeId: "text",
  size: "bigint",
} as const;
type WantedPage = Record<keyof typeof WANTED_TYPES, string | null>;

// Subselects hide the lists' length from the planner. If it knew it, it would plan every run anew.
const WANTED = sql`unnest(${sql.join(
  Object.entries(WANTED_TYPES).map(
    ([name, type]) => sql`(select ${sql.placeholder(name)}::text::${sql.raw(type)}[])`,
  ),
  sql.raw(", "),
)}) with ordinality
  as wanted (user_id, is_live, id, market, token_id, before, before_id, size, position)`;

// Each result is one value: a row costs the client more than the database. The statuses are in the
// words of the index over live orders.
const openOrderIds = prepareOnce((tx) =>
  tx
    .select({ position: sql<number>`wanted.position`, ids: sql<string | null>`found.ids` })
    .from(WANTED)
    .innerJoinLateral(
      sql`(
        select string_agg(page.id, ',') as ids from (
          select ${orders.id} from ${orders}
          where ${orders.userId} = wanted.user_id
            and ${orders.status} in ('open', 'delayed')
            and (${orders.epoch} = ${sql.raw(String(LIVE_EPOCH))}) = wanted.is_live
            and (wanted.id is null or ${orders.id} = wanted.id)
            and (wanted.market is null or ${orders.marketId} = wanted.market or ${orders.marketId} in (
              select ${markets.id} from ${markets} where ${markets.slug} = wanted.market))
            and (wanted.token_id is null or ${orders.tokenId} = wanted.token_id)
            and (wanted.before is null
              or (${orders.createdAt}, ${orders.id}) < (wanted.before, wanted.before_id))
          order by ${orders.createdAt} desc, ${orders.id} desc
          limit wanted.size
        ) as page
      ) as found`,
      sql`true`,
    )
    .prepare("open_order_ids"),
);

const findPage = shareStatement((db, pages: readonly WantedPage[]) => {
  const lists = Object.keys(WANTED_TYPES).map((name): [string, string] => [
    name,
    toTextArray(pages.map((page) => page[name as keyof WantedPage])),
  ]);
  return openOrderIds(db).execute(Object.fromEntries(lists));
});

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

/**
 * Finds the ids of one page of an account's open orders after `after`, newest first. Concurrent calls share a
 * statement.
 */
export async function findOpenOrderIds(
  { account, id, market, tokenId }: OpenOrderFilter,
  after: Position | null,
  limit: number,
): Promise<string[]> {
  // Postgres cannot store NUL, so no value equals a text with one.
  if ([id, market, tokenId].some((text) => text?.includes("\0"))) return [];
  const page = await findPage({
    userId: account.userId,
    isLive: String(account.mode === "live"),
    id: id ?? null,
    market: market ?? null,
    tokenId: tokenId ?? null,
    before: after?.createdAt.toISOString() ?? null,
    beforeId: after?.id ?? null,
    size: String(limit),
  });
  return page?.ids?.split(",") ?? [];
}

/** Selects orders with the names of their markets, in any order. */
export async function selectOrdersById(tx: Tx, ids: readonly string[]): Promise<OpenOrderRow[]> {
  const [found] = await ordersById(tx).execute({ ids: toTextArray(ids) });
  return found?.rows ?? [];
}

function toRows(rows: JsonRow[]): OpenOrderRow[] {
  return rows.map((row) => ({
    ...row,
    price: row.price === null ? null : price(BigInt(row.price)),
    shares: row.shares === null ? null : shares(BigInt(row.shares)),
    createdAt: new Date(row.createdAt),
  }));
}
