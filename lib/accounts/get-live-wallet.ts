import "server-only";
import { now } from "@/lib/clock";
import { getDb, withSnapshot } from "@/lib/db/client";
import {
  countUnsettledLiveOrders,
  selectLiveWallet,
  toSessionKey,
} from "@/lib/db/queries/live-wallets";
import { getSessionKeyState, type SessionKey } from "@/lib/domain/session-key";
import { env } from "@/lib/env";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";

/** A user's live wallet without its secrets. */
export interface LiveWalletView {
  address: string;
  funderAddress: string;
  signatureType: SignatureType;
  /** Scopes and end of the stored key if it is a session key; null if it is the owner's key. */
  sessionKey: SessionKey | null;
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
      sessionKey: toSessionKey(row),
      createdAt,
      hasCredentials: sealedCredentials !== null,
      unsettledOrders: await countUnsettledLiveOrders(tx, userId),
    };
  });
}

/** A session key that has expired, or that expires within the time of the warning. */
export interface EndingKey {
  state: "expiring" | "expired";
  expiresAt: Date;
}

/** Returns the session key of a user's live wallet if users are to be warned about its end. */
export async function findEndingKey(userId: string): Promise<EndingKey | null> {
  const row = await selectLiveWallet(await getDb(), userId);
  const sessionKey = row && toSessionKey(row);
  if (!sessionKey) return null;
  const state = getSessionKeyState(sessionKey, now());
  return state === "valid" ? null : { state, expiresAt: sessionKey.expiresAt };
}

/** Returns whether the operator turned on live trading. */
export function isLiveTradingOn(): boolean {
  return env().VENUES.includes("polymarket");
}
