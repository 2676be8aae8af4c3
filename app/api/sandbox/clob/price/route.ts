import { clobRoute } from "@/lib/sandbox/clob-route";
import { bestPriceOf } from "@/lib/sandbox/quotes";

export const GET = clobRoute("open", async ({ query }) => ({
  price: await bestPriceOf(query.get("token_id"), query.get("side")),
}));
