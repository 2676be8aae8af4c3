import "server-only";
import type { Market, MarketSource } from "@/lib/venue/port";

/** The markets of an event: the listed ones or, of an event that is not listed, what the venue has. */
export async function eventMarkets(
  venue: MarketSource,
  listed: readonly Market[],
  eventSlug: string,
): Promise<readonly Market[]> {
  const own = listed.filter((market) => market.eventSlug === eventSlug);
  return own.length > 0 ? own : venue.findUnlisted("event", eventSlug);
}
