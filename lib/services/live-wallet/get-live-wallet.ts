import "server-only";
import { withSnapshot } from "@/lib/db/client";
import { countUnsettledLiveOrders, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";
import type { SignatureType } from "@/lib/polymarket/order-hash";

/** What a user may see of the live wallet: everything but its secrets. */
export interface LiveWalletView {
  address: string;
  funderAddress: string;
  signatureType: SignatureType;
  createdAt: Date;
  /** Whether the venue's API credentials were obtained. */
  hasCredentials: boolean;
  unsettledOrders: number;
}

export async function getLiveWallet(userId: string): Promise<LiveWalletView | null> {
  return withSnapshot(async (tx) => {
    const row = await selectLiveWallet(tx, userId);
    if (!row) return null;
    const { address, funderAddress, signatureType, createdAt, sealedCredentials } = row;
    return {
      address,
      funderAddress,
      signatureType,
      createdAt,
      hasCredentials: sealedCredentials !== null,
      unsettledOrders: await countUnsettledLiveOrders(tx, userId),
    };
  });
}

/** Whether the operator has switched live trading on. */
export function isLiveTradingOn(): boolean {
  return env().VENUES.includes("polymarket");
}
