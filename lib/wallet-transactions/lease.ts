import "server-only";
import { withStatement } from "@/lib/db/client";
import { endTransactionLease, leaseTransaction } from "@/lib/db/queries/wallet-transactions";
import { PostingLease } from "@/lib/orders/live/post-until-known";
import { TransactionLeaseLost } from "@/lib/wallet-transactions/change";

/** The lease under which one process works on a transaction. */
export interface StepLease {
  /** Its end in the row, by the database's clock. */
  until: Date;
  /** Its length, measured by this process: nothing is sent after its end. */
  posting: PostingLease;
}

/**
 * Works on a transaction while no other process does. Returns null if another one does, and for a
 * transaction that is closed.
 */
export async function withTransactionLease<T>(
  id: string,
  work: (lease: StepLease) => Promise<T>,
): Promise<T | null> {
  // Created first, so that it ends here no later than in the row.
  const posting = new PostingLease();
  const until = await withStatement((db) => leaseTransaction(db, id, posting.lengthMs));
  if (!until) return null;
  try {
    return await work({ until, posting });
  } catch (error) {
    if (error instanceof TransactionLeaseLost) return null;
    throw error;
  } finally {
    await withStatement((db) => endTransactionLease(db, id, until));
  }
}
