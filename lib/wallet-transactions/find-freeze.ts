import "server-only";
import { requireWalletAction } from "@/lib/accounts/require-action";
import type { WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";

/**
 * Returns why the caller that made a transaction may not do anything new now: a freeze, or limits that
 * were set since. Null if it may.
 */
export async function findFreeze({
  userId,
  keyId,
  kind,
}: WalletTransactionRow): Promise<string | null> {
  try {
    await requireWalletAction({ userId, mode: "live", keyId, scopes: ["trade"] }, { kind });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
