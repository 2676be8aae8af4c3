import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { venueOf } from "@/lib/venue";

/** The listed markets of an event; none when there is no such event. */
export async function marketIdsOf(principal: Principal, eventSlug: string): Promise<string[]> {
  const listed = await venueOf(principal.mode).listMarkets();
  return listed.filter((market) => market.eventSlug === eventSlug).map(({ id }) => id);
}
