import { clobRoute } from "@/lib/sandbox/clob-route";
import { requireToken } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", async ({ query }) => {
  await requireToken(query.get("token_id"));
  return { base_fee: 0 };
});
