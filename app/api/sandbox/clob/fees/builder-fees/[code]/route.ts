import { clobRoute } from "@/lib/sandbox/clob-route";

/** Builders take nothing on paper. */
export const GET = clobRoute("open", () => ({
  builder_maker_fee_rate_bps: 0,
  builder_taker_fee_rate_bps: 0,
}));
