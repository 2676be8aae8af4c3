import { route } from "@/lib/api/route";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { simulateFault } from "@/lib/orders/simulate-fault";

export const GET = route(
  "getOrder",
  ({ principal, params }) => getOrder(principal, params.orderId),
  "records",
);

export const DELETE = route("cancelOrder", ({ principal, params, headers }) =>
  simulateFault(principal, headers, () => cancelOrder(principal, params.orderId), "cancel"),
);
