import { sessionCsv } from "@/lib/http/session-csv";
import { EXPORT_COLUMNS, exportClosedOrders } from "@/lib/services/orders/export-closed-orders";
import { readHistoryFilter } from "@/lib/services/orders/history-filter";
import { zoneOf } from "@/lib/services/query-zone";

export const GET = sessionCsv({
  fileName: "ante-orders.csv",
  columns: EXPORT_COLUMNS,
  pages: (principal, query) =>
    exportClosedOrders(principal, readHistoryFilter(query, zoneOf(query))),
});
