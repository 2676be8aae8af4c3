import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { getOrder } from "@/lib/services/orders/get-order";
import { rehearse } from "@/lib/services/orders/rehearse";

export const GET = route(
  "getOrder",
  ({ principal, params }) => getOrder(principal, params.orderId),
  "order",
);

export const DELETE = route("cancelOrder", ({ principal, params, headers }) =>
  rehearse(principal, headers, () => cancelOrder(principal, params.orderId)),
);

export const { HEAD, OPTIONS, POST, PUT, PATCH } = refused;
