import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { formatMicro } from "@/lib/units";
import { venueOf } from "@/lib/venue";

/** Tick sizes of markets that the account has dealt in, by condition id. */
export async function getTickSizes(
  principal: Principal,
  marketIds: readonly string[],
): Promise<Record<string, string>> {
  const markets = await venueOf(principal.mode).getMarkets(marketIds);
  return Object.fromEntries([...markets].map(([id, { tick }]) => [id, formatMicro(tick)]));
}
