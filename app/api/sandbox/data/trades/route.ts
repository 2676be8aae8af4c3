import { listTrades } from "@/lib/sandbox/data/activity";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => listTrades(query));
