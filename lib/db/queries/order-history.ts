import "server-only";
import { and, asc, desc, eq, gte, inArray, lt, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import type { OrderWithMarket } from "@/lib/db/queries/orders";
import { textContains, textEquals } from "@/lib/db/text";
import type { MarketRow } from "@/lib/db/rows";
import { markets, orderEvents, orders } from "@/lib/db/schema/trading";
import type { OrderStatus } from "@/lib/domain/order-status";

export interface OrderHistoryFilter {
  account: AccountRef;
  marketId?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  /** Part of the market's title or of the order id. */
  text?: string | undefined;
  /** The API key that placed it. */
  keyId?: string | undefined;
  statuses: readonly OrderStatus[];
  /** Closed at this instant or later. */
  from?: Date | undefined;
  /** Closed before this instant. */
  before?: Date | undefined;
}

/** Selects one page of an account's closed orders after `after`, last closed first. */
export function selectOrderHistory(
  tx: Tx,
  filter: OrderHistoryFilter,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<OrderWithMarket[]> {
  const older =
    after &&
    or(
      lt(orders.updatedAt, after.createdAt),
      and(eq(orders.updatedAt, after.createdAt), lt(orders.id, after.id)),
    );
  return tx
    .select({ order: orders, market: markets })
    .from(orders)
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(
      and(
        ofAccount(orders, filter.account),
        inArray(orders.status, [...filter.statuses]),
        textEquals(orders.marketId, filter.marketId),
        textEquals(orders.keyId, filter.keyId),
        textContains([markets.title, orders.id], filter.text),
        filter.action === undefined ? undefined : eq(orders.action, filter.action),
        filter.from === undefined ? undefined : gte(orders.updatedAt, filter.from),
        filter.before === undefined ? undefined : lt(orders.updatedAt, filter.before),
        older ?? undefined,
      ),
    )
    .orderBy(desc(orders.updatedAt), desc(orders.id))
    .limit(limit);
}

/** A market as the lists of orders name it. */
export type OrderMarket = Pick<MarketRow, "id" | "title" | "slug" | "icon" | "tick">;

/** Selects the markets in which an account has orders with one of the statuses, by title. */
export function selectOrderMarkets(
  tx: Tx,
  account: AccountRef,
  statuses: readonly OrderStatus[],
): Promise<OrderMarket[]> {
  const { id, title, slug, icon, tick } = markets;
  return tx
    .selectDistinct({ id, title, slug, icon, tick })
    .from(orders)
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(and(ofAccount(orders, account), inArray(orders.status, [...statuses])))
    .orderBy(asc(markets.title), asc(markets.id));
}

/** Selects why orders were rejected, by order id. Orders without a rejection are left out. */
export async function selectRejections(
  tx: Tx,
  orderIds: readonly string[],
): Promise<Map<string, { code: string; message: string }>> {
  if (orderIds.length === 0) return new Map();
  const rows = await tx
    .select({ orderId: orderEvents.orderId, detail: orderEvents.detail })
    .from(orderEvents)
    .where(and(inArray(orderEvents.orderId, [...orderIds]), eq(orderEvents.type, "rejected")))
    .orderBy(asc(orderEvents.id));
  return new Map(
    rows.flatMap(({ orderId, detail: { code, message } }) =>
      code === undefined || message === undefined ? [] : [[orderId, { code, message }] as const],
    ),
  );
}
