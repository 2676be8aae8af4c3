import "server-only";
import { and, asc, count, desc, eq, gt, gte, isNull, lt, lte, min, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { sandboxApprovals, sandboxTransactions, sandboxWallets } from "@/lib/db/schema/sandbox";

export type RelayedTransaction = typeof sandboxTransactions.$inferSelect;
export type RelayedWallet = typeof sandboxWallets.$inferSelect;
export type ApprovalRow = typeof sandboxApprovals.$inferSelect;

export async function selectWallet(tx: Tx, address: string): Promise<RelayedWallet | null> {
  const [row] = await tx
    .select()
    .from(sandboxWallets)
    .where(eq(sandboxWallets.address, address.toLowerCase()));
  return row ?? null;
}

/** Locks a wallet's row for the rest of the transaction. Inserts it first if there is none. */
export async function lockWallet(tx: Tx, wallet: string): Promise<RelayedWallet> {
  const address = wallet.toLowerCase();
  await tx.insert(sandboxWallets).values({ address }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(sandboxWallets)
    .where(eq(sandboxWallets.address, address))
    .for("update");
  if (!row) throw new Error("a wallet's row was just written");
  return row;
}

/** Records that a wallet's contract exists. The first time counts. */
export async function markDeployed(tx: Tx, address: string, at: Date): Promise<void> {
  await tx
    .update(sandboxWallets)
    .set({ deployedAt: at })
    .where(and(eq(sandboxWallets.address, address), isNull(sandboxWallets.deployedAt)));
}

export async function incrementNonce(tx: Tx, address: string): Promise<void> {
  await tx
    .update(sandboxWallets)
    .set({ nonce: sql`${sandboxWallets.nonce} + 1` })
    .where(eq(sandboxWallets.address, address));
}

/** Inserts a transaction. Returns false if there is one with its id. */
export async function insertTransaction(tx: Tx, row: RelayedTransaction): Promise<boolean> {
  const inserted = await tx
    .insert(sandboxTransactions)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: sandboxTransactions.id });
  return inserted.length > 0;
}

export async function selectTransaction(tx: Tx, id: string): Promise<RelayedTransaction | null> {
  const [row] = await tx.select().from(sandboxTransactions).where(eq(sandboxTransactions.id, id));
  return row ?? null;
}

/** Selects the newest transactions that a key submitted. */
export function selectTransactionsOfKey(
  tx: Tx,
  keyId: string,
  limit: number,
): Promise<RelayedTransaction[]> {
  return tx
    .select()
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions.keyId, keyId))
    .orderBy(desc(sandboxTransactions.createdAt), desc(sandboxTransactions.id))
    .limit(limit);
}

const isPending = and(isNull(sandboxTransactions.appliedAt), isNull(sandboxTransactions.error));

/** Selects a wallet's transactions whose time has come and that have no result yet, oldest first. */
export function selectDueTransactions(
  tx: Tx,
  wallet: string,
  at: Date,
): Promise<RelayedTransaction[]> {
  return tx
    .select()
    .from(sandboxTransactions)
    .where(
      and(
        eq(sandboxTransactions.wallet, wallet.toLowerCase()),
        isPending,
        lte(sandboxTransactions.minedAt, at),
      ),
    )
    .orderBy(asc(sandboxTransactions.minedAt));
}

/** Selects a wallet's transactions that took effect in a time. */
export function selectAppliedBetween(
  tx: Tx,
  wallet: string,
  { from, before }: { from: Date; before: Date },
): Promise<RelayedTransaction[]> {
  return tx
    .select()
    .from(sandboxTransactions)
    .where(
      and(
        eq(sandboxTransactions.wallet, wallet.toLowerCase()),
        gte(sandboxTransactions.appliedAt, from),
        lt(sandboxTransactions.appliedAt, before),
      ),
    )
    .orderBy(asc(sandboxTransactions.appliedAt));
}

/** Selects the transaction whose id has this SHA-256 hash, by the index of the hashes. */
export async function selectByHash(tx: Tx, hash: string): Promise<RelayedTransaction | null> {
  const [row] = await tx
    .select()
    .from(sandboxTransactions)
    .where(eq(sql`sandbox_transaction_hash(${sandboxTransactions.id})`, hash));
  return row ?? null;
}

/** Locks a transaction and returns whether it has no result yet. */
export async function lockPending(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: sandboxTransactions.id, isPending: sql<boolean>`${isPending}` })
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions.id, id))
    .for("update");
  return row?.isPending ?? false;
}

/** Records the result of a transaction. */
export async function finishTransaction(
  tx: Tx,
  id: string,
  result: { appliedAt: Date } | { error: string },
): Promise<void> {
  await tx.update(sandboxTransactions).set(result).where(eq(sandboxTransactions.id, id));
}

/** Whether a wallet has a transaction that is not final: without a result, or not confirmed yet. */
export async function hasActiveTransaction(tx: Tx, wallet: string, at: Date): Promise<boolean> {
  const isUnconfirmed = or(
    gt(sandboxTransactions.minedAt, at),
    and(isNull(sandboxTransactions.error), gt(sandboxTransactions.confirmedAt, at)),
  );
  const [row] = await tx
    .select({ id: sandboxTransactions.id })
    .from(sandboxTransactions)
    .where(and(eq(sandboxTransactions.wallet, wallet), or(isPending, isUnconfirmed)))
    .limit(1);
  return row !== undefined;
}

/** Counts what a key submitted since an instant, and returns the time of the first of them. */
export async function countSubmissions(
  tx: Tx,
  keyId: string,
  since: Date,
): Promise<{ count: number; firstAt: Date | null }> {
  const [row] = await tx
    .select({ count: count(), firstAt: min(sandboxTransactions.createdAt) })
    .from(sandboxTransactions)
    .where(and(eq(sandboxTransactions.keyId, keyId), gt(sandboxTransactions.createdAt, since)));
  return row ?? { count: 0, firstAt: null };
}

export function selectApprovals(tx: Tx, wallet: string): Promise<ApprovalRow[]> {
  return tx
    .select()
    .from(sandboxApprovals)
    .where(eq(sandboxApprovals.wallet, wallet.toLowerCase()));
}

export async function upsertApprovals(tx: Tx, rows: readonly ApprovalRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { wallet, token, spender } = sandboxApprovals;
  await tx
    .insert(sandboxApprovals)
    .values([...rows])
    .onConflictDoUpdate({
      target: [wallet, token, spender],
      set: { amount: sql`excluded.amount` },
    });
}
