import "server-only";
import { ensureCredentials } from "@/lib/custody/credentials";
import { openTrader } from "@/lib/custody/trader";
import { AppError } from "@/lib/errors";
import { remoteVenue } from "@/lib/venue";
import type { Trader } from "@/lib/venue/trader";

/**
 * The user's live wallet with its credentials at the venue, which are obtained with its first use.
 * Throws WALLET_NOT_FOUND when there is none.
 */
export async function requireTrader(userId: string): Promise<Trader> {
  const trader = await openTrader(userId);
  if (!trader) throw new AppError("WALLET_NOT_FOUND", "this user has no live wallet");
  if (trader.credentials) return trader;
  return {
    ...trader,
    credentials: await ensureCredentials(userId, remoteVenue().obtainCredentials),
  };
}
