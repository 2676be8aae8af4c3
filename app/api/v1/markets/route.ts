import { route } from "@/lib/api/route";
import { listMarkets } from "@/lib/markets/list-markets";

export const GET = route("listMarkets", ({ principal, query }) => listMarkets(principal, query));
