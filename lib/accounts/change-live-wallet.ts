import "server-only";
import { now } from "@/lib/clock";
import { sealLiveWallet, type WalletImport } from "@/lib/custody/seal-live-wallet";
import { withTransaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import {
  countUnsettledLiveOrders,
  deleteLiveWallet,
  isLiveAddressTaken,
  lockUser,
  type LiveWalletRow,
  putLiveWallet,
  selectLiveWallet,
  toSessionKey,
} from "@/lib/db/queries/live-wallets";
import type { SessionKey } from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { assertNotShared } from "@/lib/auth/demo-file";
import type { Tx } from "@/lib/db/database";
import { causeOfSession } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { selectOpenSettlements } from "@/lib/db/queries/remote-orders";
import { countOpenTransactions } from "@/lib/db/queries/wallet-transactions";

/** The addresses of the wallet that was stored, and what its session key may do. */
export interface ImportedWallet {
  address: string;
  funderAddress: string;
  /** Null if the key is the owner's. */
  sessionKey: SessionKey | null;
}

/**
 * Stores a user's live Polymarket wallet and replaces the previous one. Throws VALIDATION_ERROR while
 * the previous wallet has unsettled orders, if another user has the wallet, and for the demo account,
 * where every visitor could trade with it.
 */
export async function importLiveWallet(
  userId: string,
  input: WalletImport,
  sessionId?: string,
): Promise<ImportedWallet> {
  await assertNotShared(userId);
  const wallet = await sealLiveWallet(userId, input);
  const row = {
    ...wallet,
    sealedCredentials: null,
    createdAt: new Date(now()),
    sessionNotice: null,
  };
  try {
    await withTransaction(async (tx) => {
      if (!(await lockUser(tx, userId))) {
        throw new AppError("WALLET_NOT_FOUND", `There is no user ${userId}.`);
      }
      if (await isLiveAddressTaken(tx, wallet.address, userId)) throw taken();
      await assertNothingUnsettled(tx, userId);
      const replaced = await selectLiveWallet(tx, userId);
      await putLiveWallet(tx, row);
      if (replaced) await recordWalletEvent(tx, "wallet.removed", { wallet: replaced, sessionId });
      await recordWalletEvent(tx, "wallet.added", { wallet: row, sessionId });
      const detail = { wallet: wallet.address };
      await recordSecurityEvent(tx, { userId, kind: "wallet_imported", sessionId, detail });
    });
  } catch (error) {
    // Another user imported the same key at the same time.
    throw isUniqueViolation(error) ? taken() : error;
  }
  log.info("live wallet imported", { userId });
  const { address, funderAddress } = wallet;
  return { address, funderAddress, sessionKey: toSessionKey(wallet) };
}

const taken = () =>
  new AppError("VALIDATION_ERROR", "Another user of this service already has this wallet.", {
    field: "secretKey",
  });

/** Deletes a user's live wallet with its key and credentials. Refused while orders are unsettled. */
export async function removeLiveWallet(userId: string, sessionId?: string): Promise<void> {
  await withTransaction(async (tx) => {
    await lockUser(tx, userId);
    const wallet = await selectLiveWallet(tx, userId);
    if (!wallet) {
      throw new AppError("WALLET_NOT_FOUND", "There is no live wallet to remove.");
    }
    await assertNothingUnsettled(tx, userId);
    await deleteLiveWallet(tx, userId);
    await recordWalletEvent(tx, "wallet.removed", { wallet, sessionId });
    const detail = { wallet: wallet.address };
    await recordSecurityEvent(tx, { userId, kind: "wallet_removed", sessionId, detail });
  });
  log.info("live wallet removed", { userId });
}

type LoggedWallet = Pick<LiveWalletRow, "userId" | "address" | "funderAddress">;

/** Adds an event to the log of the user's live account. */
async function recordWalletEvent(
  tx: Tx,
  type: "wallet.added" | "wallet.removed",
  { wallet, sessionId }: { wallet: LoggedWallet; sessionId: string | undefined },
): Promise<void> {
  const { userId, address, funderAddress } = wallet;
  const owner = { userId, epoch: LIVE_EPOCH };
  const cause = causeOfSession(sessionId);
  const event = { owner, type, data: { address, funderAddress }, cause };
  await post(tx, { transfers: [], events: [event] }, new Date(now()));
}

/**
 * Throws VALIDATION_ERROR while a live wallet has unsettled orders, which only the wallet can cancel,
 * trades that settle on the chain, which can fail and be reversed, or open transactions.
 */
async function assertNothingUnsettled(tx: Tx, userId: string): Promise<void> {
  const unsettled = await countUnsettledLiveOrders(tx, userId);
  if (unsettled > 0) {
    const orders = unsettled === 1 ? "1 live order is" : `${unsettled} live orders are`;
    throw refused(`${orders} not settled yet. Cancel open orders first, then try again.`);
  }
  const open = await countOpenTransactions(tx, userId);
  if (open > 0) {
    const some =
      open === 1 ? "1 claim or other transaction" : `${open} claims or other transactions`;
    throw refused(`${some} of this wallet can still happen. Try again in a few minutes.`);
  }
  const settling = (await selectOpenSettlements(tx, userId)).length;
  if (settling > 0) {
    const trades = settling === 1 ? "1 trade is" : `${settling} trades are`;
    throw refused(`${trades} still settling on the chain. Try again in a few minutes.`);
  }
}

const refused = (message: string) => new AppError("VALIDATION_ERROR", message);
