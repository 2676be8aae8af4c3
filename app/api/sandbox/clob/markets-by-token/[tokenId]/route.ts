import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireToken } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ id }) => {
  const { market } = await requireToken(id);
  const [primary, secondary] = market.outcomes;
  return {
    condition_id: market.id,
    primary_token_id: primary.tokenId,
    secondary_token_id: secondary.tokenId,
  };
});
