import { clobRoute } from "@/lib/sandbox/clob-route";
import { listSamplingSimplifiedMarkets } from "@/lib/sandbox/batch";

export const GET = clobRoute("open", ({ query }) => listSamplingSimplifiedMarkets(query));
