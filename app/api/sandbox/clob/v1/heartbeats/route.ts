import { clobRoute } from "@/lib/sandbox/clob-route";
import { beat } from "@/lib/sandbox/heartbeat";

export const POST = clobRoute("key", ({ caller, body }) => beat(caller, body));
