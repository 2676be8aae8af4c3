import { toPlacementReply } from "@/lib/api/placement-reply";
import { route } from "@/lib/api/route";
import { cancelOrders, cancelOrdersInMarket } from "@/lib/orders/cancel-order";
import { listOrders } from "@/lib/orders/list-orders";
import { withGeneratedKey } from "@/lib/orders/idempotency/generated-key";
import { placeOrder } from "@/lib/orders/place-order";
import { simulateFault } from "@/lib/orders/simulate-fault";

export const GET = route("listOrders", ({ principal, query }) => listOrders(principal, query));

export const POST = route("placeOrder", ({ principal, body, headers }) =>
  withGeneratedKey(body, async (order, isKeyNew) =>
    toPlacementReply(
      await simulateFault(principal, headers, (simulatedFault) =>
        placeOrder(principal, order, { simulatedFault, isKeyNew }),
      ),
    ),
  ),
);

export const DELETE = route("cancelOrders", ({ principal, query: { market }, headers }) =>
  simulateFault(
    principal,
    headers,
    () =>
      market === undefined ? cancelOrders(principal) : cancelOrdersInMarket(principal, market),
    "cancel",
  ),
);
