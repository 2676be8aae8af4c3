import { sessionCsv } from "@/lib/api/session-csv";
import { parseHistoryFilter } from "@/lib/orders/order-filters";
import { parseZone } from "@/lib/query-zone";
import { EXPORT_COLUMNS, exportOrderHistory } from "@/lib/orders/export-orders";

export const GET = sessionCsv({
  fileName: "ante-orders.csv",
  columns: EXPORT_COLUMNS,
  pages: (principal, query) =>
    exportOrderHistory(principal, parseHistoryFilter(query, parseZone(query))),
});
