import { clobRoute } from "@/lib/sandbox/clob-route";
import { listSimplifiedMarkets } from "@/lib/sandbox/batch";

export const GET = clobRoute("open", ({ query }) => listSimplifiedMarkets(query));
