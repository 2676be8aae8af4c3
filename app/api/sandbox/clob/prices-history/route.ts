import { clobRoute } from "@/lib/sandbox/clob-route";
import { historyOf } from "@/lib/sandbox/quotes";

export const GET = clobRoute("open", ({ query }) => historyOf(query));
