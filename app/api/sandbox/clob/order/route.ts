import { clobRoute } from "@/lib/sandbox/clob-route";
import { cancelByIds } from "@/lib/sandbox/cancel-orders";
import { readJsonBody, readOrderPayload } from "@/lib/sandbox/order-payload";
import { readOrderId } from "@/lib/sandbox/cancel-payload";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";

export const POST = clobRoute("key", ({ caller, body }) =>
  placeSandboxOrder(caller, readOrderPayload(readJsonBody(body))),
);
export const DELETE = clobRoute("key", ({ caller, body }) =>
  cancelByIds(caller, [readOrderId(body)]),
);
