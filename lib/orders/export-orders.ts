import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { CsvCell } from "@/lib/domain/csv";
import type { HistoryFilter } from "@/lib/orders/order-filters";
import { listOrderHistory } from "@/lib/orders/order-history";
import { ClosedOrderLine } from "@/lib/schemas/dashboard-orders";
import { MAX_ROWS } from "@/lib/schemas/page-size";

/** Maximum number of orders in one CSV file. */
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
  "time_in_force",
  "expires_at",
  "post_only",
  "replaced_by",
] as const;

/** Yields the closed orders of a filter as rows of a CSV file, page by page, last closed first. */
export async function* exportOrderHistory(
  principal: Principal,
  filter: HistoryFilter,
): AsyncGenerator<CsvCell[][]> {
  let nextCursor: string | undefined;
  for (let exported = 0; exported < MAX_EXPORTED; exported += MAX_ROWS) {
    const page = await listOrderHistory(principal, filter, { nextCursor, limit: MAX_ROWS });
    yield page.orders.map((order) => toCsvRow(z.encode(ClosedOrderLine, order)));
    if (page.nextCursor === null) return;
    nextCursor = page.nextCursor;
  }
}

function toCsvRow(order: z.input<typeof ClosedOrderLine>): CsvCell[] {
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
    order.timeInForce,
    order.expiresAt,
    String(order.postOnly),
    order.replacedBy,
  ];
}
