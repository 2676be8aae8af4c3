import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { eventMarkets } from "@/lib/services/markets/event-markets";
import { venueOf } from "@/lib/venue";

/** The markets of an event; none when there is no such event. */
export async function marketIdsOf(principal: Principal, eventSlug: string): Promise<string[]> {
  const venue = venueOf(principal.mode);
  const markets = await eventMarkets(venue, await venue.listMarkets(), eventSlug);
  return markets.map(({ id }) => id);
}
