import { sessionRead } from "@/lib/api/session-read";
import { OpenOrdersView } from "@/lib/schemas/dashboard-orders";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { parseOpenOrdersFilter } from "@/lib/orders/order-filters";

export const GET = sessionRead(OpenOrdersView, (principal, query) =>
  getOpenOrdersView(principal, parseOpenOrdersFilter(query)),
);
