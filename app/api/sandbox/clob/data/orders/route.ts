import { clobRoute } from "@/lib/sandbox/clob-route";
import { listWireOrders } from "@/lib/sandbox/orders";

export const GET = clobRoute("key", ({ caller, query }) => listWireOrders(caller, query));
