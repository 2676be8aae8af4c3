import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireCondition, toCompactMarket } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ id }) => toCompactMarket(await requireCondition(id)));
