import { clobRoute } from "@/lib/sandbox/clob-route";
import { readLastPrices } from "@/lib/sandbox/batch";
import { readTokens } from "@/lib/sandbox/quotes";

export const POST = clobRoute("open", ({ body }) => readLastPrices(readTokens(body)));
