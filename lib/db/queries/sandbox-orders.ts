import "server-only";
import { and, asc, desc, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Tx } from "@/lib/db/database";
import { textEquals } from "@/lib/db/text";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { sandboxKeys } from "@/lib/db/schema/sandbox";
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
  /** The address whose API keys placed them. */
  keyOwner: string;
  /** Selects live orders only. */
  isLive: boolean;
}

/** Selects orders of several accounts, oldest first, so that offsets stay valid as new orders arrive. */
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
        inArray(orders.keyId, selectKeyIds(tx, filter.keyOwner)),
        filter.isLive ? inArray(orders.status, [...LIVE_STATUSES]) : undefined,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .offset(offset)
    .limit(limit);
}

/** Selects the API keys of an address, deleted ones included. */
export function selectKeyIds(tx: Tx, owner: string) {
  return tx.select({ id: sandboxKeys.id }).from(sandboxKeys).where(eq(sandboxKeys.owner, owner));
}

/** Selects the live orders of every account whose id has this prefix. */
export function selectRestingOrders(tx: Tx, accountPrefix: string): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.status, [...LIVE_STATUSES]),
        sql`starts_with(${orders.userId}, ${accountPrefix}::text)`,
      ),
    );
}

export interface WalletFillsFilter {
  userIds: readonly string[];
  /** The address whose API keys placed the orders. */
  keyOwner: string;
  tradeId?: string | undefined;
  marketId?: string | undefined;
  tokenId?: string | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
}

const taking = alias(fills, "taking");
/** The taker's order id; the trade id if the house took. */
const matchId = sql<string>`coalesce(${taking.orderId}, ${fills.tradeId})`;

/**
 * Selects trades of several accounts as the venue counts them, newest first: everything that one
 * order took at once is one trade. Each row is the first fill of one account in one trade.
 */
export function selectWalletFills(
  tx: Tx,
  filter: WalletFillsFilter,
  { offset, limit }: Slice,
): Promise<FillRow[]> {
  const firsts = tx
    .select({ id: sql<string>`(array_agg(${fills.id} order by ${fills.sequence}))[1]` })
    .from(fills)
    .leftJoin(taking, and(eq(taking.tradeId, fills.tradeId), eq(taking.role, "taker")))
    .where(
      and(
        inArray(fills.userId, [...filter.userIds]),
        inArray(
          fills.orderId,
          tx
            .select({ id: orders.id })
            .from(orders)
            .where(
              and(
                inArray(orders.userId, [...filter.userIds]),
                inArray(orders.keyId, selectKeyIds(tx, filter.keyOwner)),
              ),
            ),
        ),
        filter.tradeId === undefined
          ? undefined
          : inArray(matchId, selectMatch(tx, filter.tradeId)),
        textEquals(fills.marketId, filter.marketId),
        textEquals(fills.tokenId, filter.tokenId),
        filter.after && gt(fills.createdAt, filter.after),
        filter.before && lt(fills.createdAt, filter.before),
      ),
    )
    .groupBy(matchId, fills.userId, fills.role, fills.createdAt)
    .orderBy(desc(fills.createdAt), desc(sql`min(${fills.sequence})`))
    .offset(offset)
    .limit(limit);
  return tx
    .select()
    .from(fills)
    .where(inArray(fills.id, firsts))
    .orderBy(desc(fills.createdAt), desc(fills.sequence));
}

/** Selects the match of a trade id. */
function selectMatch(tx: Tx, tradeId: string) {
  return tx
    .select({ match: matchId })
    .from(fills)
    .leftJoin(taking, and(eq(taking.tradeId, fills.tradeId), eq(taking.role, "taker")))
    .where(textEquals(fills.tradeId, tradeId));
}

/**
 * Selects all users' fills of the trades that these fills are part of. A trade is what the venue counts
 * as one. Sorted by creation.
 */
export async function selectFillsOfTrades(tx: Tx, own: readonly FillRow[]): Promise<FillRow[]> {
  if (own.length === 0) return [];
  const ids = own.map(({ tradeId }) => tradeId);
  const takers = tx
    .select({ orderId: fills.orderId })
    .from(fills)
    .where(and(inArray(fills.tradeId, ids), eq(fills.role, "taker")));
  const taken = tx
    .select({ tradeId: fills.tradeId })
    .from(fills)
    .where(and(inArray(fills.orderId, takers), eq(fills.role, "taker")));
  return tx
    .select()
    .from(fills)
    .where(or(inArray(fills.tradeId, ids), inArray(fills.tradeId, taken)))
    .orderBy(asc(fills.sequence));
}

/** Selects the fills of orders, in the order of their creation. */
export async function selectFillsOfOrders(tx: Tx, ids: readonly string[]): Promise<FillRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(fills)
    .where(inArray(fills.orderId, [...ids]))
    .orderBy(asc(fills.sequence));
}

/**
 * Selects orders by id, if they belong to these accounts.
 *
 * @param keyOwner only orders that API keys of this address placed.
 */
export async function selectOrdersOfWallet(
  tx: Tx,
  userIds: readonly string[],
  ids: readonly string[],
  keyOwner?: string,
): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.userId, [...userIds]),
        inArray(orders.id, [...ids]),
        keyOwner === undefined ? undefined : inArray(orders.keyId, selectKeyIds(tx, keyOwner)),
      ),
    );
}
