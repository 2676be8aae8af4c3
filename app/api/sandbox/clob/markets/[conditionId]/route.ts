import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireCondition, toClobMarket } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ id }) => toClobMarket(await requireCondition(id)));
