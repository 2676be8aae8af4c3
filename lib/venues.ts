import "server-only";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { paperVenue } from "@/lib/exchange";
import { polymarketVenue } from "@/lib/polymarket";
import { polymarketRelay } from "@/lib/polymarket/wallet-relay";
import type { EmbeddedVenue, Mode, RemoteVenue, Venue } from "@/lib/venue/port";
import type { WalletRelay } from "@/lib/venue/wallet-relay";

/** Returns the venue of a mode. Throws TRADING_PAUSED if the operator has not enabled it. */
export function getVenue(mode: Mode): Venue {
  return mode === "paper" ? paperExchange() : remoteVenue();
}

/** Returns the embedded exchange, which also backs the sandbox. */
export function paperExchange(): EmbeddedVenue {
  if (env().VENUES.includes("paper")) return paperVenue;
  throw new AppError("TRADING_PAUSED", "Paper trading is off on this server.");
}

let remote: RemoteVenue = polymarketVenue;

/** Replaces the process's remote venue. Only tests and the simulation call this. */
export function useRemoteVenue(venue: RemoteVenue): void {
  remote = venue;
}

/**
 * Returns the service that executes transactions of live wallets. Throws TRADING_PAUSED if the operator
 * has not enabled the remote venue.
 */
export function walletRelay(): WalletRelay {
  if (env().VENUES.includes("polymarket")) return polymarketRelay;
  throw new AppError("TRADING_PAUSED", "Live trading is off on this server.");
}

/** Returns the remote venue. Throws TRADING_PAUSED if the operator has not enabled it. */
export function remoteVenue(): RemoteVenue {
  if (env().VENUES.includes("polymarket")) return remote;
  throw new AppError("TRADING_PAUSED", "Live trading is off on this server.");
}
