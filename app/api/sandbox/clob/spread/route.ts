import { clobRoute } from "@/lib/sandbox/clob-route";
import { spreadOf } from "@/lib/sandbox/quotes";

export const GET = clobRoute("open", async ({ query }) => ({
  spread: await spreadOf(query.get("token_id")),
}));
