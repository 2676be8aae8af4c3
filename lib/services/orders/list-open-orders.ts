import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { type OpenOrderRow, selectOpenOrders } from "@/lib/db/queries/open-orders";
import type { OpenOrder, OpenOrders } from "@/lib/schemas/orders";
import { decodeTimeCursor, encodeTimeCursor, pageOf } from "@/lib/services/cursor";
import { sideOf } from "@/lib/services/orders/order-record";
import { MAX_ROWS, PAGE_SIZE } from "@/lib/services/page-size";
import { iconUrl } from "@/lib/services/public-url";
import { NO_SHARES } from "@/lib/units";

const LIST = "open";

export interface OpenOrdersQuery {
  id?: string | undefined;
  market?: string | undefined;
  assetId?: string | undefined;
  onlyFirstPage?: "true" | "false" | undefined;
  nextCursor?: string | undefined;
}

/**
 * Open and delayed orders, newest first. The page is keyed on (created_at, id), so orders placed or
 * canceled between two pages neither hide nor repeat others.
 */
export async function listOpenOrders(
  principal: Principal,
  query: OpenOrdersQuery,
): Promise<z.output<typeof OpenOrders>> {
  const limit = query.onlyFirstPage === "true" ? PAGE_SIZE : MAX_ROWS;
  const found = await selectOpenOrders(
    await getDb(),
    { account: principal, id: query.id, marketId: query.market, tokenId: query.assetId },
    decodeTimeCursor(LIST, query.nextCursor),
    limit + 1,
  );
  const { rows, nextCursor } = pageOf(found, limit, (row) => encodeTimeCursor(LIST, row));
  return { orders: rows.map(toOpenOrder), nextCursor };
}

function toOpenOrder(order: OpenOrderRow): z.output<typeof OpenOrder> {
  return {
    id: order.id,
    marketId: order.marketId,
    assetId: order.tokenId,
    marketTitle: order.title,
    marketSlug: order.slug,
    marketRoute: `/markets/${order.slug}`,
    iconUrl: iconUrl(order.icon),
    action: order.action,
    side: sideOf(order.outcome),
    type: order.type,
    price: order.price,
    shares: order.shares ?? NO_SHARES,
    createdAt: order.createdAt,
    status: "open",
  };
}
