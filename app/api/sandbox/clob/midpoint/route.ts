import { clobRoute } from "@/lib/sandbox/clob-route";
import { midpointOf } from "@/lib/sandbox/quotes";

export const GET = clobRoute("open", async ({ query }) => ({
  mid: await midpointOf(query.get("token_id")),
}));
