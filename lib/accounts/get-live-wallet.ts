import "server-only";
import { withSnapshot } from "@/lib/db/client";
import { countUnsettledLiveOrders, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";

/** A user's live wallet without its secrets. */
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

/** Returns whether the operator turned on live trading. */
export function isLiveTradingOn(): boolean {
  return env().VENUES.includes("polymarket");
}
