import "server-only";
import { ensureCredentials } from "@/lib/custody/credentials";
import { now } from "@/lib/clock";
import { openTrader } from "@/lib/custody/trader";
import { refuseExpiredKey } from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import { remoteVenue } from "@/lib/venues";
import type { Trader } from "@/lib/venue/trader";

/**
 * Returns the user's live wallet with its API credentials, which the first use obtains from the venue.
 *
 * @throws WALLET_NOT_FOUND if the user has no live wallet.
 */
export async function requireTrader(userId: string): Promise<Trader> {
  const trader = await openTrader(userId);
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
export async function requireSigner(userId: string): Promise<Trader> {
  const trader = await requireTrader(userId);
  const expired = refuseExpiredKey(trader.sessionKey, now());
  if (expired) throw new AppError(expired.code, expired.message);
  return trader;
}
