import { clobRoute } from "@/lib/sandbox/clob-route";
import { byToken } from "@/lib/sandbox/batch";
import { readTokens, spreadOf } from "@/lib/sandbox/quotes";

export const POST = clobRoute("open", ({ body }) => byToken(readTokens(body), spreadOf));
