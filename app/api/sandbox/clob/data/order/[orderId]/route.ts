import { clobRoute } from "@/lib/sandbox/clob-route";
import { findWireOrder } from "@/lib/sandbox/orders";

export const GET = clobRoute("key", ({ caller, id }) => findWireOrder(caller, id));
