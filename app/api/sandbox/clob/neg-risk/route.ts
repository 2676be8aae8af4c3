import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireToken } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ query }) => {
  const { market } = await requireToken(query.get("token_id"));
  return { neg_risk: market.isNegRisk };
});
