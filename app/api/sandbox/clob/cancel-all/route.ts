import { clobRoute } from "@/lib/sandbox/clob-route";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";

export const DELETE = clobRoute("key", ({ caller }) => cancelWhere(caller, {}));
