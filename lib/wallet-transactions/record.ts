import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { LiveWalletRow } from "@/lib/db/queries/live-wallets";
import { insertRemoteMarket } from "@/lib/db/queries/remote-orders";
import {
  insertWalletTransaction,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import type { Principal } from "@/lib/auth/principal";
import type { WalletTransactionKind } from "@/lib/domain/wallet-transaction";
import { newId } from "@/lib/ids";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** A live transaction that was not recorded before. */
export interface NewTransaction {
  wallet: LiveWalletRow;
  kind: WalletTransactionKind;
  /** Null for approvals. */
  market: Market | null;
  /** Null, unless it is a split or merge. */
  shares: Shares | null;
  isAutomatic?: boolean;
  /** The hashed idempotency key and fingerprint of a split or merge. */
  claim?: { keyHash: string; fingerprint: string };
}

/**
 * Records a live transaction before anything is signed. Returns null if the market already has an open
 * claim, or the key was used.
 */
export async function recordTransaction(
  { keyId, requestId = null }: Pick<Principal, "keyId" | "requestId">,
  { wallet, kind, market, shares, isAutomatic = false, claim }: NewTransaction,
): Promise<WalletTransactionRow | null> {
  const at = new Date(now());
  return withTransaction(async (tx) => {
    if (market) await insertRemoteMarket(tx, market);
    return insertWalletTransaction(tx, {
      id: newId("wtx"),
      userId: wallet.userId,
      epoch: LIVE_EPOCH,
      wallet: wallet.funderAddress,
      kind,
      marketId: market?.id ?? null,
      shares,
      claims: null,
      status: "waiting",
      waitReason: null,
      failure: null,
      isAutomatic,
      keyHash: claim?.keyHash ?? null,
      fingerprint: claim?.fingerprint ?? null,
      requestId,
      keyId,
      createdAt: at,
      updatedAt: at,
    });
  });
}
