import "server-only";
import type { RemoteVenue } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** A venue, and whose orders are meant there. */
export interface Connection {
  venue: RemoteVenue;
  trader: Trader;
}
