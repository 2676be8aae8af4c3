import { route } from "@/lib/api/route";
import { getMarket } from "@/lib/markets/get-market";

export const GET = route("getMarket", ({ principal, params }) =>
  getMarket(principal, params.marketId),
);
