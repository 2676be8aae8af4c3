import "server-only";
import { withTransaction } from "@/lib/db/client";
import { deleteLiveWallet, lockUser, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { noteEvent } from "@/lib/services/audit/note-event";
import { assertNothingUnsettled } from "@/lib/services/live-wallet/unsettled";

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
    const detail = { wallet: wallet.address };
    await noteEvent(tx, { userId, kind: "wallet_removed", sessionId, detail });
  });
  log.info("live wallet removed", { userId });
}
