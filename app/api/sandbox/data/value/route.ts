import { readWireValue } from "@/lib/sandbox/data";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => readWireValue(query));
