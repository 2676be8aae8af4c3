import { clobRoute } from "@/lib/sandbox/clob-route";
import { listWireTrades } from "@/lib/sandbox/trades";

export const GET = clobRoute("key", ({ caller, query }) => listWireTrades(caller, query));
