import { clobRoute } from "@/lib/sandbox/clob-route";
import { readPrices } from "@/lib/sandbox/batch";
import { readTokens } from "@/lib/sandbox/quotes";

export const POST = clobRoute("open", ({ body }) => readPrices(readTokens(body)));
