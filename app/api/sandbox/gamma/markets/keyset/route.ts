import { listGammaMarketsByCursor } from "@/lib/sandbox/gamma";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => listGammaMarketsByCursor(query));
