import "server-only";
import { and, asc, count, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import { isInMarket, textEquals } from "@/lib/db/text";
import type { FillRow, MarketRow, OrderEventRow, OrderRow } from "@/lib/db/rows";
import { fills, idempotencyKeys, markets, orderEvents, orders } from "@/lib/db/schema/trading";
import type { OrderStatus } from "@/lib/domain/order-status";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

/** The last row of a page in a list ordered by (created_at, id), newest first. */
export interface Position {
  createdAt: Date;
  id: string;
}

export interface OrderFilter {
  account: AccountRef;
  id?: string | undefined;
  marketId?: string | undefined;
  /** Id or slug. */
  market?: string | undefined;
  /** Hash of the order's idempotency key. */
  keyHash?: string | undefined;
  /** The API key that placed it. */
  keyId?: string | undefined;
  tokenId?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface OrderWithMarket {
  order: OrderRow;
  market: MarketRow;
}

/** Selects one page of an account's orders after `after`, newest first. */
export function selectOrders(
  tx: Tx,
  filter: OrderFilter,
  after: Position | null,
  limit: number,
): Promise<OrderWithMarket[]> {
  return tx
    .select({ order: orders, market: markets })
    .from(orders)
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(and(...buildConditions(filter), after ? isOlderThan(after) : undefined))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** Selects an order; null if it does not belong to the account. */
export async function selectOrder(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<OrderRow | null> {
  const [row] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), ofAccount(orders, account)));
  return row ?? null;
}

/** Selects orders by id. Other accounts' orders are left out. */
export function selectOrdersById(
  tx: Tx,
  account: AccountRef,
  ids: readonly string[],
): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(and(ofAccount(orders, account), inArray(orders.id, [...ids])));
}

/**
 * Whether an order reserves funds on the paper exchange: it is open, delayed, or waits for approval.
 * Spelled like the predicates of two indexes, so that Postgres uses both.
 */
const isReserving = sql`(${orders.status} in ('open', 'delayed') or ${orders.status} = 'pending_approval')`;

/** Selects the orders of an account that reserve funds. */
export function selectReservingOrders(
  tx: Tx,
  account: AccountRef,
): Promise<(OrderInMarket & Pick<OrderRow, "action" | "status">)[]> {
  return tx
    .select({
      id: orders.id,
      marketId: orders.marketId,
      action: orders.action,
      status: orders.status,
    })
    .from(orders)
    .where(and(ofAccount(orders, account), isReserving));
}

/** Selects the orders of an account that may still trade, including those with an unknown outcome. */
export function selectUnsettledOrders(
  tx: Tx,
  account: AccountRef,
  marketId?: string,
): Promise<OrderInMarket[]> {
  return selectOrdersIn(tx, account, UNSETTLED_STATUSES, marketId);
}

interface OrderInMarket {
  id: string;
  marketId: string;
}

function selectOrdersIn(
  tx: Tx,
  account: AccountRef,
  statuses: readonly OrderStatus[],
  marketId?: string,
): Promise<OrderInMarket[]> {
  return tx
    .select({ id: orders.id, marketId: orders.marketId })
    .from(orders)
    .where(
      and(
        ofAccount(orders, account),
        inArray(orders.status, [...statuses]),
        textEquals(orders.marketId, marketId),
      ),
    );
}

/** Selects the fills of an order, without those whose settlement failed. */
export function selectOrderFills(tx: Tx, orderId: string): Promise<FillRow[]> {
  return tx
    .select()
    .from(fills)
    .where(and(eq(fills.orderId, orderId), isNotReversed()))
    .orderBy(asc(fills.sequence));
}

export function selectOrderEvents(tx: Tx, orderId: string): Promise<OrderEventRow[]> {
  return tx
    .select()
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
}

/** Counts an account's open orders that reserve USDC (`tokenId` null) or shares of a token. */
export async function countReservingOrders(
  tx: Tx,
  account: AccountRef,
  tokenId: string | null,
): Promise<number> {
  const reserves =
    tokenId === null
      ? eq(orders.action, "BUY")
      : and(eq(orders.action, "SELL"), eq(orders.tokenId, tokenId));
  const [row] = await tx
    .select({ total: count() })
    .from(orders)
    .where(and(ofAccount(orders, account), isReserving, reserves));
  return row?.total ?? 0;
}

/** The sums that orders reserve. */
export interface Reserved {
  count: number;
  /** How many of them wait for approval. */
  waiting: number;
  buys: Usdc;
  sells: Shares;
}

/** Selects what an account's orders reserve, by market. Markets without such orders are left out. */
export async function selectReserved(tx: Tx, account: AccountRef): Promise<Map<string, Reserved>> {
  const held = (action: "BUY" | "SELL") =>
    sql<string>`coalesce(sum(${orders.held}) filter (where ${orders.action} = ${action}), 0)::text`;
  const rows = await tx
    .select({
      marketId: orders.marketId,
      count: count(),
      waiting: sql<number>`(count(*) filter (where ${orders.status} = 'pending_approval'))::integer`,
      buys: held("BUY"),
      sells: held("SELL"),
    })
    .from(orders)
    .where(and(ofAccount(orders, account), isReserving))
    .groupBy(orders.marketId);
  return new Map(
    rows.map(({ marketId, buys, sells, ...counts }) => [
      marketId,
      { ...counts, buys: usdc(BigInt(buys)), sells: shares(BigInt(sells)) },
    ]),
  );
}

function buildConditions(filter: OrderFilter): (SQL | undefined)[] {
  return [
    ofAccount(orders, filter.account),
    textEquals(orders.id, filter.id),
    textEquals(orders.marketId, filter.marketId),
    isInMarket(orders.marketId, filter.market),
    hasIdempotencyKey(filter),
    textEquals(orders.keyId, filter.keyId),
    textEquals(orders.tokenId, filter.tokenId),
    filter.action === undefined ? undefined : eq(orders.action, filter.action),
    filter.statuses === undefined ? undefined : inArray(orders.status, [...filter.statuses]),
    filter.from === undefined ? undefined : gte(orders.createdAt, filter.from),
    filter.to === undefined ? undefined : lte(orders.createdAt, filter.to),
  ];
}

/** A key belongs to at most one order of a user, and its claim is stored forever. */
function hasIdempotencyKey({ account, keyHash }: OrderFilter): SQL | undefined {
  if (keyHash === undefined) return undefined;
  return sql`${orders.id} = (select claim.order_id from ${idempotencyKeys} claim
    where claim.user_id = ${account.userId} and claim.key_hash = ${keyHash})`;
}

function isOlderThan(after: Position): SQL | undefined {
  return or(
    lt(orders.createdAt, after.createdAt),
    and(eq(orders.createdAt, after.createdAt), lt(orders.id, after.id)),
  );
}
