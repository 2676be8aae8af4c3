import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallet, toSessionKey } from "@/lib/db/queries/live-wallets";
import { refuseExpiredKey } from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import type { WalletRelay } from "@/lib/venue/wallet-relay";
import { walletRelay } from "@/lib/venues";

/**
 * Returns a user's live wallet and the relay that executes its transactions.
 *
 * @throws WALLET_NOT_FOUND without a wallet, and ORDER_REJECTED if Ante can't send its transactions.
 */
export async function requireRelay(
  userId: string,
): Promise<{ wallet: LiveWalletRow; relay: WalletRelay }> {
  const relay = walletRelay();
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new AppError("WALLET_NOT_FOUND", "This account has no live wallet.");
  const unavailable = relay.explainUnavailable(wallet.signatureType);
  if (unavailable !== null) throw new AppError("ORDER_REJECTED", unavailable);
  return { wallet, relay };
}

/**
 * Like `requireRelay`, for a new transaction.
 *
 * @throws SESSION_KEY_EXPIRED if the wallet's key is a session key that has expired.
 */
export async function requireSigningRelay(
  userId: string,
): Promise<{ wallet: LiveWalletRow; relay: WalletRelay }> {
  const found = await requireRelay(userId);
  const expired = refuseExpiredKey(toSessionKey(found.wallet), now());
  if (expired) throw new AppError(expired.code, expired.message);
  return found;
}

/** Returns why Ante can't send transactions of a user's wallet, as a sentence; null if it can. */
export async function explainNoRelay(userId: string): Promise<string | null> {
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) return "This account has no live wallet.";
  return walletRelay().explainUnavailable(wallet.signatureType);
}
