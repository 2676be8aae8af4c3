import "server-only";
import { and, asc, count, desc, eq, gte, inArray, lt, lte, or, type SQL } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import { textEquals } from "@/lib/db/queries/text";
import type { FillRow, MarketRow, OrderEventRow, OrderRow } from "@/lib/db/rows";
import { fills, markets, orderEvents, orders } from "@/lib/db/schema/trading";
import type { OrderStatus } from "@/lib/domain/order-status";
import { LIVE_STATUSES, UNSETTLED_STATUSES } from "@/lib/domain/order-status";

/** Where a page of a list ordered by (created_at, id), newest first, goes on. */
export interface Position {
  createdAt: Date;
  id: string;
}

export interface OrderFilter {
  account: AccountRef;
  id?: string | undefined;
  marketId?: string | undefined;
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

/** One page of an account's orders, newest first, from `after` on. */
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
    .where(and(...conditionsOf(filter), after ? olderThan(after) : undefined))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** The order, if it belongs to the account. */
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

/** Those of the orders that belong to the account. */
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

/** Every live order of an account with its market. */
export function selectLiveOrders(tx: Tx, account: AccountRef): Promise<OrderInMarket[]> {
  return selectOrdersIn(tx, account, LIVE_STATUSES);
}

/** Every order of an account that may still trade, for canceling them: of some that is not known. */
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

/** What an order filled, without the fills whose settlement failed. */
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

/** How many of an account's live orders reserve USDC, or shares of one token. */
export async function countLiveOrders(
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
    .where(and(ofAccount(orders, account), inArray(orders.status, [...LIVE_STATUSES]), reserves));
  return row?.total ?? 0;
}

function conditionsOf(filter: OrderFilter): (SQL | undefined)[] {
  return [
    ofAccount(orders, filter.account),
    textEquals(orders.id, filter.id),
    textEquals(orders.marketId, filter.marketId),
    textEquals(orders.tokenId, filter.tokenId),
    filter.action === undefined ? undefined : eq(orders.action, filter.action),
    filter.statuses === undefined ? undefined : inArray(orders.status, [...filter.statuses]),
    filter.from === undefined ? undefined : gte(orders.createdAt, filter.from),
    filter.to === undefined ? undefined : lte(orders.createdAt, filter.to),
  ];
}

function olderThan(after: Position): SQL | undefined {
  return or(
    lt(orders.createdAt, after.createdAt),
    and(eq(orders.createdAt, after.createdAt), lt(orders.id, after.id)),
  );
}
