import { placementReply } from "@/lib/http/placement-reply";
import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { listOrders } from "@/lib/services/orders/list-orders";
import { placeOrder } from "@/lib/services/orders/place-order";
import { rehearse } from "@/lib/services/orders/rehearse";

export const GET = route("listOrders", ({ principal, query }) => listOrders(principal, query));

export const POST = route("placeOrder", async ({ principal, body, headers }) =>
  placementReply(
    await rehearse(principal, headers, (rehearsal) => placeOrder(principal, body, rehearsal)),
  ),
);

export const DELETE = route("cancelOrders", ({ principal, query }) =>
  cancelOrders(principal, query.market),
);

export const { HEAD, OPTIONS, PUT, PATCH } = refused;
