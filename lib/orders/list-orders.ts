import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { OrderList } from "@/lib/schemas/orders";
import { requireAccount } from "@/lib/accounts/require-account";
import { decodeTimeCursor, encodeTimeCursor, cutPage } from "@/lib/cursor";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { toOrderSummary } from "@/lib/orders/order-views";
import { PAGE_SIZE } from "@/lib/schemas/page-size";

const LIST = "orders";

export interface OrdersQuery {
  status?: OrderStatus | undefined;
  market?: string | undefined;
  assetId?: string | undefined;
  idempotencyKey?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

/** Lists the caller's orders in every state, newest first. */
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
      market: query.market,
      keyHash:
        query.idempotencyKey === undefined ? undefined : hashIdempotencyKey(query.idempotencyKey),
      tokenId: query.assetId,
      action: query.action,
      statuses: query.status && [query.status],
      from: query.from,
      to: query.to,
    },
    decodeTimeCursor(LIST, query.nextCursor),
    limit + 1,
  );
  const { rows, nextCursor } = cutPage(found, limit, ({ order }) => encodeTimeCursor(LIST, order));
  return { orders: rows.map(({ order }) => toOrderSummary(order, account)), nextCursor };
}
