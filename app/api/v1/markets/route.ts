import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { listMarkets } from "@/lib/services/markets/list-markets";

export const GET = route("listMarkets", ({ principal, query }) => listMarkets(principal, query));

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
