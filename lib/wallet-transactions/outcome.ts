import "server-only";
import { getDb } from "@/lib/db/client";
import {
  isWaitingForQuota,
  selectWalletTransaction,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { AppError, assert } from "@/lib/errors";
import { advance } from "@/lib/wallet-transactions/advance";

/**
 * Advances a transaction that a request asks for, and returns it. It goes on in the background.
 *
 * @throws ORDER_REJECTED if it failed, and ORDER_OUTCOME_UNKNOWN while it is not known whether it was
 *   accepted.
 */
export async function readOutcome(row: WalletTransactionRow): Promise<WalletTransactionRow> {
  const after = (await advanceUnlessQuota(row)) ?? (await readAgain(row));
  if (after.status === "failed") {
    throw new AppError("ORDER_REJECTED", after.failure ?? "The transaction failed.");
  }
  if (after.status === "unknown" || after.status === "submitting") {
    throw new AppError(
      "ORDER_OUTCOME_UNKNOWN",
      `Polymarket hasn't confirmed transaction ${row.id} yet. Ante keeps checking. The list of the wallet's transactions shows its outcome.`,
    );
  }
  return after;
}

/** A repeated request does not use the relayer's quota before it resets. */
async function advanceUnlessQuota({ id }: WalletTransactionRow) {
  return (await isWaitingForQuota(await getDb(), id)) ? null : advance(id);
}

async function readAgain({ id, userId }: WalletTransactionRow): Promise<WalletTransactionRow> {
  const row = await selectWalletTransaction(await getDb(), userId, id);
  assert(row, "a recorded transaction is kept");
  return row;
}
