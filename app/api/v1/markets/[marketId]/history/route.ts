import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { getHistory } from "@/lib/services/markets/get-history";

export const GET = route("getHistory", ({ principal, params, query }) =>
  getHistory(principal, params.marketId, query),
);

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
