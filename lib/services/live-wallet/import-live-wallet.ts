import "server-only";
import { now } from "@/lib/clock";
import { sealLiveWallet, type WalletImport } from "@/lib/custody/seal-live-wallet";
import { withTransaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { isLiveAddressTaken, lockUser, putLiveWallet } from "@/lib/db/queries/live-wallets";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { noteEvent } from "@/lib/services/audit/note-event";
import { assertNotShared } from "@/lib/services/users/shared-account";
import { assertNothingUnsettled } from "@/lib/services/live-wallet/unsettled";

/** What the user may know of the wallet that was stored. */
export interface ImportedWallet {
  address: string;
  funderAddress: string;
}

/**
 * Gives a user a live Polymarket wallet, in the place of the one that the user had. Refused while
 * orders of that one may still trade, for a wallet that another user has, and for the demo account,
 * in which anybody could trade with it.
 */
export async function importLiveWallet(
  userId: string,
  input: WalletImport,
  sessionId?: string,
): Promise<ImportedWallet> {
  await assertNotShared(userId);
  const wallet = await sealLiveWallet(userId, input);
  const row = { ...wallet, sealedCredentials: null, createdAt: new Date(now()) };
  try {
    await withTransaction(async (tx) => {
      if (!(await lockUser(tx, userId))) {
        throw new AppError("WALLET_NOT_FOUND", `there is no user ${userId}`);
      }
      if (await isLiveAddressTaken(tx, wallet.address, userId)) throw taken();
      await assertNothingUnsettled(tx, userId);
      await putLiveWallet(tx, row);
      const detail = { wallet: wallet.address };
      await noteEvent(tx, { userId, kind: "wallet_imported", sessionId, detail });
    });
  } catch (error) {
    // Two users gave the same key at the same time.
    throw isUniqueViolation(error) ? taken() : error;
  }
  log.info("live wallet imported", { userId });
  return { address: wallet.address, funderAddress: wallet.funderAddress };
}

const taken = () =>
  new AppError("VALIDATION_ERROR", "Another user of this service has this wallet.", {
    field: "secretKey",
  });
