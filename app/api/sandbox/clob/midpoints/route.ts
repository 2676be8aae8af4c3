import { clobRoute } from "@/lib/sandbox/clob-route";
import { byToken } from "@/lib/sandbox/batch";
import { midpointOf, readTokens } from "@/lib/sandbox/quotes";

export const POST = clobRoute("open", ({ body }) => byToken(readTokens(body), midpointOf));
