import { clobRoute } from "@/lib/sandbox/clob-route";
import { lastPriceOf, requireToken } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ query }) =>
  lastPriceOf(await requireToken(query.get("token_id"))),
);
