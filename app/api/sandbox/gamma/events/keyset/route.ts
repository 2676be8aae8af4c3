import { listGammaEventsByCursor } from "@/lib/sandbox/gamma";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => listGammaEventsByCursor(query));
