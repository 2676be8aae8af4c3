import { route } from "@/lib/api/route";
import { getHistory } from "@/lib/markets/get-history";

export const GET = route("getHistory", ({ principal, params, query }) =>
  getHistory(principal, params.marketId, query),
);
