import { readValue } from "@/lib/sandbox/data/positions";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => readValue(query));
