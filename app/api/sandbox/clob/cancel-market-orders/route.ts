import { clobRoute } from "@/lib/sandbox/clob-route";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { readCancelScope } from "@/lib/sandbox/cancel-payload";

export const DELETE = clobRoute("key", ({ caller, body }) =>
  cancelWhere(caller, readCancelScope(body)),
);
