import "server-only";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { paperVenue } from "@/lib/venue/paper";
import { polymarketVenue } from "@/lib/venue/polymarket";
import type { EmbeddedVenue, Mode, RemoteVenue, Venue } from "@/lib/venue/port";

/** The venue of a mode. Throws when the operator has not switched it on. */
export function venueOf(mode: Mode): Venue {
  return mode === "paper" ? paperExchange() : remoteVenue();
}

/** The embedded exchange, which the sandbox speaks for too. */
export function paperExchange(): EmbeddedVenue {
  if (env().VENUES.includes("paper")) return paperVenue;
  throw new AppError("TRADING_PAUSED", "paper trading is not switched on");
}

let remote: RemoteVenue = polymarketVenue;

/** Makes `venue` the process's remote venue. Only tests and the simulation call this. */
export function useRemoteVenue(venue: RemoteVenue): void {
  remote = venue;
}

/** Polymarket. */
export function remoteVenue(): RemoteVenue {
  if (env().VENUES.includes("polymarket")) return remote;
  throw new AppError("TRADING_PAUSED", "live trading is not switched on");
}
