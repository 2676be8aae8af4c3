import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { CsvCell } from "@/lib/domain/csv";
import { OrderLine } from "@/lib/schemas/order-views";
import { listClosedOrders } from "@/lib/services/orders/list-closed-orders";
import type { ClosedFilter } from "@/lib/services/orders/order-filters";
import { MAX_ROWS } from "@/lib/services/page-size";

/** The most orders of one file. */
export const MAX_EXPORTED = 10_000;

export const EXPORT_COLUMNS = [
  "closed_at",
  "placed_at",
  "order_id",
  "market",
  "market_id",
  "outcome",
  "action",
  "side",
  "type",
  "status",
  "limit_price",
  "shares",
  "amount",
  "filled_shares",
  "avg_fill_price",
  "value",
  "fee",
] as const;

/** The closed orders of a filter as rows of a file, page by page, last closed first. */
export async function* exportClosedOrders(
  principal: Principal,
  filter: ClosedFilter,
): AsyncGenerator<CsvCell[][]> {
  let nextCursor: string | undefined;
  for (let exported = 0; exported < MAX_EXPORTED; exported += MAX_ROWS) {
    const page = await listClosedOrders(principal, filter, { nextCursor, limit: MAX_ROWS });
    yield page.orders.map((order) => toRow(z.encode(OrderLine, order)));
    if (page.nextCursor === null) return;
    nextCursor = page.nextCursor;
  }
}

function toRow(order: z.input<typeof OrderLine>): CsvCell[] {
  return [
    order.updatedAt,
    order.createdAt,
    order.id,
    order.marketTitle,
    order.marketId,
    order.outcome,
    order.action,
    order.side,
    order.type,
    order.status,
    order.price,
    order.shares,
    order.amount,
    order.filledShares,
    order.avgFillPrice,
    order.value,
    order.fee,
  ];
}
