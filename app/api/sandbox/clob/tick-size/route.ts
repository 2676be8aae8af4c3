import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireToken } from "@/lib/sandbox/markets";
import { microToNumber } from "@/lib/units";

export const GET = clobRoute("open", async ({ query }) => {
  const { market } = await requireToken(query.get("token_id"));
  return { minimum_tick_size: microToNumber(market.tick) };
});
