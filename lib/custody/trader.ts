import "server-only";
import { openCredentials } from "@/lib/custody/credentials";
import { signOrder } from "@/lib/custody/signer";
import { getDb } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import type { Trader } from "@/lib/venue/trader";

/**
 * The user's live wallet as the venue's adapter may use it, or null without one. Open it for each
 * request: a trader that is kept does not see that its wallet was removed.
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
    credentials: await openCredentials(wallet),
    signOrder: (order, isNegRisk) => signOrder(wallet, order, isNegRisk),
  };
}
