import { countTraded } from "@/lib/sandbox/data/positions";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => countTraded(query));
