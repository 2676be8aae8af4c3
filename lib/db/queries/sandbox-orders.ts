import "server-only";
import { and, asc, desc, gt, inArray, lt } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { textEquals } from "@/lib/db/queries/text";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { fills, orders } from "@/lib/db/schema/trading";
import { LIVE_STATUSES } from "@/lib/domain/order-status";

interface Slice {
  offset: number;
  limit: number;
}

export interface WalletOrdersFilter {
  userIds: readonly string[];
  id?: string | undefined;
  marketId?: string | undefined;
  tokenId?: string | undefined;
  /** The API key that placed them. */
  keyId?: string | undefined;
  /** Leaves out orders that are over. */
  isLive: boolean;
}

/** Orders of several accounts, oldest first, so that an offset stays right while new ones come. */
export function selectWalletOrders(
  tx: Tx,
  filter: WalletOrdersFilter,
  { offset, limit }: Slice,
): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.userId, [...filter.userIds]),
        textEquals(orders.id, filter.id),
        textEquals(orders.marketId, filter.marketId),
        textEquals(orders.tokenId, filter.tokenId),
        textEquals(orders.keyId, filter.keyId),
        filter.isLive ? inArray(orders.status, [...LIVE_STATUSES]) : undefined,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .offset(offset)
    .limit(limit);
}

export interface WalletFillsFilter {
  userIds: readonly string[];
  tradeId?: string | undefined;
  marketId?: string | undefined;
  tokenId?: string | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
}

/** Fills of several accounts, newest first. */
export function selectWalletFills(
  tx: Tx,
  filter: WalletFillsFilter,
  { offset, limit }: Slice,
): Promise<FillRow[]> {
  return tx
    .select()
    .from(fills)
    .where(
      and(
        inArray(fills.userId, [...filter.userIds]),
        textEquals(fills.tradeId, filter.tradeId),
        textEquals(fills.marketId, filter.marketId),
        textEquals(fills.tokenId, filter.tokenId),
        filter.after && gt(fills.createdAt, filter.after),
        filter.before && lt(fills.createdAt, filter.before),
      ),
    )
    .orderBy(desc(fills.createdAt), desc(fills.id))
    .offset(offset)
    .limit(limit);
}

/** Both sides of trades, as far as users stood on them. */
export async function selectFillsOfTrades(tx: Tx, ids: readonly string[]): Promise<FillRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(fills)
    .where(inArray(fills.tradeId, [...ids]));
}

/** Fills of orders, for the trades that each took part in. */
export async function selectFillsOfOrders(tx: Tx, ids: readonly string[]): Promise<FillRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(fills)
    .where(inArray(fills.orderId, [...ids]))
    .orderBy(asc(fills.sequence));
}

/** Some orders, as far as they belong to these accounts. */
export async function selectOrdersOf(
  tx: Tx,
  userIds: readonly string[],
  ids: readonly string[],
): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(orders)
    .where(and(inArray(orders.userId, [...userIds]), inArray(orders.id, [...ids])));
}
