import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import {
  selectOrderHistory,
  selectOrderMarkets,
  selectRejections,
} from "@/lib/db/queries/order-history";
import type { AccountRef } from "@/lib/db/queries/mode";
import { CLOSED_STATUSES, type OrderStatus } from "@/lib/domain/order-status";
import type { OrderHistoryPage } from "@/lib/schemas/dashboard-orders";
import { decodeTimeCursor, encodeTimeCursor, cutPage } from "@/lib/cursor";
import type { HistoryFilter } from "@/lib/orders/order-filters";
import { toOrderLine } from "@/lib/orders/order-views";
import { findNewOrderIds } from "@/lib/orders/replacement-links";

const LIST = "closed";
const DEFAULT_LIMIT = 50;

interface PageRequest {
  nextCursor?: string | undefined;
  limit?: number | undefined;
}

/** Lists the caller's closed orders, last closed first. */
export async function listOrderHistory(
  principal: Principal,
  filter: HistoryFilter,
  { nextCursor: cursor, limit = DEFAULT_LIMIT }: PageRequest = {},
): Promise<z.output<typeof OrderHistoryPage>> {
  const { market, text, action, keyId, status, from, before } = filter;
  const db = await getDb();
  const found = await selectOrderHistory(
    db,
    {
      account: principal,
      marketId: market,
      text,
      action,
      keyId,
      statuses: status ? [status] : CLOSED_STATUSES,
      from,
      before,
    },
    decodeTimeCursor(LIST, cursor),
    limit + 1,
  );
  const { rows, nextCursor } = cutPage(found, limit, ({ order }) =>
    encodeTimeCursor(LIST, { createdAt: order.updatedAt, id: order.id }),
  );
  const listIds = (wanted: OrderStatus) =>
    rows.filter(({ order }) => order.status === wanted).map(({ order }) => order.id);
  const [rejections, newOrderIds] = await Promise.all([
    selectRejections(db, listIds("rejected")),
    findNewOrderIds(principal, listIds("canceled")),
  ]);
  const orders = rows.map((row) => ({
    ...toOrderLine(row),
    rejection: rejections.get(row.order.id) ?? null,
    replacedBy: newOrderIds.get(row.order.id) ?? null,
  }));
  return { orders, nextCursor };
}

/** Lists the markets in which the account has closed orders, by title. */
export async function listHistoryMarkets(
  account: AccountRef,
): Promise<{ id: string; title: string }[]> {
  return selectOrderMarkets(await getDb(), account, CLOSED_STATUSES);
}
