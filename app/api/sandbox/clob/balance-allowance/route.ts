import { clobRoute } from "@/lib/sandbox/clob-route";
import { readBalance } from "@/lib/sandbox/balance";

export const GET = clobRoute("key", ({ caller, query }) => readBalance(caller, query));
