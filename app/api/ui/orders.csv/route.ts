import { sessionCsv } from "@/lib/http/session-csv";
import { EXPORT_COLUMNS, exportClosedOrders } from "@/lib/services/orders/export-closed-orders";
import { readClosedFilter } from "@/lib/services/orders/order-filters";
import { zoneOf } from "@/lib/services/query-zone";

export const GET = sessionCsv({
  fileName: "ante-orders.csv",
  columns: EXPORT_COLUMNS,
  pages: (principal, query) =>
    exportClosedOrders(principal, readClosedFilter(query, zoneOf(query))),
});
