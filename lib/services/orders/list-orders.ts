import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { OrderList } from "@/lib/schemas/orders";
import { requireAccount } from "@/lib/services/account/require-account";
import { decodeTimeCursor, encodeTimeCursor, pageOf } from "@/lib/services/cursor";
import { toSummary } from "@/lib/services/orders/order-record";
import { PAGE_SIZE } from "@/lib/services/page-size";

const LIST = "orders";

export interface OrdersQuery {
  status?: OrderStatus | undefined;
  market?: string | undefined;
  assetId?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

/** Orders in every state, newest first. */
export async function listOrders(
  principal: Principal,
  query: OrdersQuery,
): Promise<z.output<typeof OrderList>> {
  const db = await getDb();
  const limit = query.limit ?? PAGE_SIZE;
  const account = await requireAccount(db, principal);
  const found = await selectOrders(
    db,
    {
      account: principal,
      marketId: query.market,
      tokenId: query.assetId,
      action: query.action,
      statuses: query.status && [query.status],
      from: query.from,
      to: query.to,
    },
    decodeTimeCursor(LIST, query.nextCursor),
    limit + 1,
  );
  const { rows, nextCursor } = pageOf(found, limit, ({ order }) => encodeTimeCursor(LIST, order));
  return { orders: rows.map(({ order }) => toSummary(order, account)), nextCursor };
}
