import "server-only";
import { and, asc, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { toJsonRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { users, wallets } from "@/lib/db/schema/accounts";

/** The unlimited allowance. Spending does not lower it, as with ERC-20 tokens. */
export const UNLIMITED_ALLOWANCE = 2n ** 256n - 1n;

export interface OwnerRow {
  userId: string;
  epoch: number;
  /** Base units; null while unknown. */
  allowance: bigint | null;
}

/**
 * Reads a user's epoch and allowance. The share lock keeps a reset from starting a new epoch until
 * the transaction ends.
 */
export async function lockOwner(tx: Tx, userId: string): Promise<OwnerRow | null> {
  const [row] = await tx
    .select({ userId: users.id, epoch: users.epoch, allowance: wallets.allowance })
    .from(users)
    .innerJoin(wallets, eq(wallets.userId, users.id))
    .where(eq(users.id, userId))
    .for("share", { of: users });
  return row ?? null;
}

export async function selectAllowance(tx: Tx, userId: string): Promise<bigint | null> {
  const [row] = await tx
    .select({ allowance: wallets.allowance })
    .from(wallets)
    .where(eq(wallets.userId, userId));
  return row?.allowance ?? null;
}

/** Builds the update that lowers limited allowances by the amounts spent, by user. */
export function buildAllowanceWrites(spent: ReadonlyMap<string, bigint>): SQL[] {
  if (spent.size === 0) return [];
  const rows = [...spent].map(([userId, amount]) => ({ id: userId, amount }));
  return [
    sql`update wallets set allowance = greatest(0, wallets.allowance - spent.amount)
      from json_to_recordset(${toJsonRows(rows)}::text::json) as spent (id text, amount numeric)
      where wallets.user_id = spent.id
        and wallets.allowance <> ${UNLIMITED_ALLOWANCE.toString()}::numeric`,
  ];
}

export interface SealedKeyRow {
  userId: string;
  address: string;
  sealedKey: string;
}

/** Selects wallets that have a sealed key, ordered by user, starting after `after`. */
export async function selectSealedKeys(
  tx: Tx,
  after: string,
  limit: number,
): Promise<SealedKeyRow[]> {
  const { userId, address, sealedKey } = wallets;
  return tx
    .select({ userId, address, sealedKey })
    .from(wallets)
    .where(and(gt(userId, after), ne(sealedKey, "")))
    .orderBy(asc(userId))
    .limit(limit);
}

/** Replaces a sealed key if it is still `from`. Returns whether it was. */
export async function replaceSealedKey(
  tx: Tx,
  change: { userId: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx
    .update(wallets)
    .set({ sealedKey: change.to })
    .where(and(eq(wallets.userId, change.userId), eq(wallets.sealedKey, change.from)))
    .returning({ userId: wallets.userId });
  return rows.length === 1;
}
