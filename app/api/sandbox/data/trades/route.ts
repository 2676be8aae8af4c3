import { listWireActivity } from "@/lib/sandbox/data";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => listWireActivity(query));
