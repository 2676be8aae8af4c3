import { clobRoute } from "@/lib/sandbox/clob-route";
import { listSamplingMarkets } from "@/lib/sandbox/batch";

export const GET = clobRoute("open", ({ query }) => listSamplingMarkets(query));
