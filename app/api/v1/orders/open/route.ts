import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { listOpenOrders } from "@/lib/services/orders/list-open-orders";

export const GET = route(
  "listOpenOrders",
  ({ principal, query }) => listOpenOrders(principal, query),
  "open orders",
);

// To DELETE, "open" is an order id like any other.
export { DELETE } from "@/app/api/v1/orders/[orderId]/route";

export const { HEAD, OPTIONS, POST, PUT, PATCH } = refused;
