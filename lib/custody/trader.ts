import "server-only";
import { openCredentials } from "@/lib/custody/credentials";
import { signOrder } from "@/lib/custody/signer";
import { getDb } from "@/lib/db/client";
import { selectLiveWallet, toSessionKey } from "@/lib/db/queries/live-wallets";
import type { Trader } from "@/lib/venue/trader";

/**
 * Opens the user's live wallet for the venue's adapter; null if there is none. Open it for each
 * request: a stored trader would miss that the wallet was removed.
 */
export async function openTrader(userId: string): Promise<Trader | null> {
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) return null;
  const { address, funderAddress, signatureType } = wallet;
  return {
    userId,
    address,
    funderAddress,
    signatureType,
    sessionKey: toSessionKey(wallet),
    credentials: await openCredentials(wallet),
    signOrder: (order, exchange) => signOrder(wallet, order, exchange),
  };
}
