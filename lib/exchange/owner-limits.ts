import "server-only";
import { sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { takeOrderTurn } from "@/lib/db/queries/order-turn";
import { lockOwner, type OwnerRow } from "@/lib/db/queries/wallets";
import type { Refusal } from "@/lib/domain/funding";
import { type LimitedTransaction, refuseTransaction } from "@/lib/domain/limits";
import { assert } from "@/lib/errors";
import { readTime } from "@/lib/exchange/clock";

/**
 * Locks the owner of positions against a reset and against a change of limits or a freeze, which come
 * before or after the whole transaction. Orders take the same locks.
 */
export async function lockLimitedOwner(tx: Tx, userId: string): Promise<OwnerRow> {
  await tx.execute(sql`select ${takeOrderTurn(userId)}`);
  const owner = await lockOwner(tx, userId);
  assert(owner, "the owner of the positions exists");
  return owner;
}

/**
 * Refuses changes of positions that a freeze or the owner's limits forbid. None of these limits depends
 * on what others do at the same time, so the shared lock of `lockLimitedOwner` is enough.
 */
export async function refuseTransactions(
  tx: Tx,
  { userId, keyId = null }: { userId: string; keyId?: string | null | undefined },
  transactions: readonly LimitedTransaction[],
): Promise<Refusal | null> {
  const query = { userId, keyId, mode: "paper", marketId: null, now: readTime().now } as const;
  for (const subject of await readLimitedSubjects(tx, query)) {
    for (const transaction of transactions) {
      const refusal = refuseTransaction(transaction, subject);
      if (refusal) return refusal;
    }
  }
  return null;
}
