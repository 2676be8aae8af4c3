import { route } from "@/lib/api/route";
import { encodeOpenOrders } from "@/lib/orders/list-open-orders";

export const GET = route(
  "listOpenOrders",
  ({ principal, query }) => encodeOpenOrders(principal, query),
  "records",
);

// To DELETE, "open" is an order id like any other.
export { DELETE } from "@/app/api/v1/orders/[orderId]/route";
