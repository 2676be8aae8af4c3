import { clobRoute } from "@/lib/sandbox/clob-route";
import { listClobMarkets } from "@/lib/sandbox/batch";

export const GET = clobRoute("open", ({ query }) => listClobMarkets(query));
