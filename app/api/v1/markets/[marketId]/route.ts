import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { getMarket } from "@/lib/services/markets/get-market";

export const GET = route("getMarket", ({ principal, params }) =>
  getMarket(principal, params.marketId),
);

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
