import { clobRoute } from "@/lib/sandbox/clob-route";
import { lastPriceOf } from "@/lib/sandbox/quotes";

export const GET = clobRoute("open", ({ query }) => lastPriceOf(query.get("token_id")));
