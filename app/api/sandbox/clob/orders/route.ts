import { clobRoute } from "@/lib/sandbox/clob-route";
import { placeBatch } from "@/lib/sandbox/batch";
import { cancelByIds } from "@/lib/sandbox/cancel-orders";
import { readOrderIds } from "@/lib/sandbox/cancel-payload";
import { readBatch } from "@/lib/sandbox/order-payload";

export const POST = clobRoute("key", ({ caller, body }) => placeBatch(caller, readBatch(body)));
export const DELETE = clobRoute("key", ({ caller, body }) =>
  cancelByIds(caller, readOrderIds(body)),
);
