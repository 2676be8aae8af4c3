import "server-only";
import { ensureCredentials } from "@/lib/custody/credentials";
import { now } from "@/lib/clock";
import { openTrader } from "@/lib/custody/trader";
import { refuseExpiredKey } from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import { remoteVenue } from "@/lib/venues";
import type { Trader } from "@/lib/venue/trader";

/** A wallet that is being opened for one request. */
export type OpeningTrader = Promise<Trader | null>;

/** Starts to open the user's live wallet. A failure is thrown by `requireTrader` or `requireSigner`. */
export function startOpening(userId: string): OpeningTrader {
  const opening = openTrader(userId);
  // The request may fail before it needs the wallet.
  opening.catch(() => undefined);
  return opening;
}

/**
 * Returns the user's live wallet with its API credentials, which the first use obtains from the venue.
 *
 * @throws WALLET_NOT_FOUND if the user has no live wallet.
 */
export async function requireTrader(
  userId: string,
  opening: OpeningTrader = openTrader(userId),
): Promise<Trader> {
  const trader = await opening;
  if (!trader) throw new AppError("WALLET_NOT_FOUND", "This account has no live wallet.");
  if (trader.credentials) return trader;
  return {
    ...trader,
    credentials: await ensureCredentials(userId, remoteVenue().obtainCredentials),
  };
}

/**
 * Returns the user's live wallet for a new order.
 *
 * @throws SESSION_KEY_EXPIRED if its key is a session key that has expired, before anything is signed.
 */
export async function requireSigner(userId: string, opening?: OpeningTrader): Promise<Trader> {
  const trader = await requireTrader(userId, opening);
  const expired = refuseExpiredKey(trader.sessionKey, now());
  if (expired) throw new AppError(expired.code, expired.message);
  return trader;
}
