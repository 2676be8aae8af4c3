import "server-only";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import {
  automaticClaims,
  IS_IN_FLIGHT,
  IS_OPEN,
  signedTransactions,
  walletTransactions,
} from "@/lib/db/schema/wallet-transactions";
import { OPEN_STATUSES } from "@/lib/domain/wallet-transaction";
import { assert } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";

export type WalletTransactionRow = typeof walletTransactions.$inferSelect;
export type SignedTransactionRow = typeof signedTransactions.$inferSelect;

/** A transaction with its last signed form, and the time of the read by the database's clock. */
export interface TransactionState {
  transaction: WalletTransactionRow;
  /** Null if it was never signed. */
  signed: SignedTransactionRow | null;
  readAt: Date;
}

/** Inserts a transaction, which is due now. Returns null if an equal one is open or has its key. */
export async function insertWalletTransaction(
  tx: Tx,
  row: Omit<WalletTransactionRow, "dueAt" | "leasedUntil" | "attempts">,
): Promise<WalletTransactionRow | null> {
  const [inserted] = await tx
    .insert(walletTransactions)
    .values({ ...row, dueAt: databaseTime(), leasedUntil: new Date(0) })
    .onConflictDoNothing()
    .returning();
  return inserted ?? null;
}

/** Selects a user's transaction; null for an unknown id, or another user's. */
export async function selectWalletTransaction(
  tx: Tx,
  userId: string,
  id: string,
): Promise<WalletTransactionRow | null> {
  return selectOne(tx, [eq(walletTransactions.id, id), eq(walletTransactions.userId, userId)]);
}

/** Selects the split or merge that an idempotency key was used for; null for an unused key. */
export async function selectTransactionByKey(
  tx: Tx,
  userId: string,
  keyHash: string,
): Promise<WalletTransactionRow | null> {
  return selectOne(tx, [
    eq(walletTransactions.userId, userId),
    eq(walletTransactions.keyHash, keyHash),
  ]);
}

/** Selects a user's open claim of a market; null without one. */
export async function selectOpenClaim(
  tx: Tx,
  userId: string,
  marketId: string,
): Promise<WalletTransactionRow | null> {
  return selectOne(tx, [
    eq(walletTransactions.userId, userId),
    eq(walletTransactions.marketId, marketId),
    eq(walletTransactions.kind, "redeem"),
    IS_OPEN,
  ]);
}

/** Selects a user's open approval; null without one. */
export async function selectOpenApproval(
  tx: Tx,
  userId: string,
): Promise<WalletTransactionRow | null> {
  return selectOne(tx, [
    eq(walletTransactions.userId, userId),
    eq(walletTransactions.kind, "approve"),
    IS_OPEN,
  ]);
}

async function selectOne(tx: Tx, conditions: readonly SQL[]): Promise<WalletTransactionRow | null> {
  const [row] = await tx
    .select()
    .from(walletTransactions)
    .where(and(...conditions));
  return row ?? null;
}

/** Selects the hashes of transactions on the chain, by id. Those without one are left out. */
export async function selectTransactionHashes(
  tx: Tx,
  transactions: readonly Pick<WalletTransactionRow, "id" | "attempts">[],
): Promise<Map<string, string>> {
  const ids = transactions.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(signedTransactions)
    .where(inArray(signedTransactions.transactionId, ids));
  const last = new Map(transactions.map(({ id, attempts }) => [id, attempts]));
  return new Map(
    rows.flatMap(({ transactionId, attempt, transactionHash }) =>
      transactionHash !== null && last.get(transactionId) === attempt
        ? [[transactionId, transactionHash] as const]
        : [],
    ),
  );
}

/** Selects an account's transactions, newest first. */
export function selectWalletTransactions(
  tx: Tx,
  {
    userId,
    epoch,
    isOpen,
    limit,
  }: { userId: string; epoch: number; isOpen: boolean; limit: number },
): Promise<WalletTransactionRow[]> {
  return tx
    .select()
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.userId, userId),
        eq(walletTransactions.epoch, epoch),
        isOpen ? IS_OPEN : undefined,
      ),
    )
    .orderBy(desc(walletTransactions.createdAt), desc(walletTransactions.id))
    .limit(limit);
}

/** Counts a user's live transactions that can still happen. */
export async function countOpenTransactions(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(walletTransactions)
    .where(and(eq(walletTransactions.userId, userId), IS_OPEN));
  return row?.total ?? 0;
}

/** Whether a transaction waits for the relayer's quota, which resets later. */
export async function isWaitingForQuota(tx: Tx, id: string): Promise<boolean> {
  const { dueAt, waitReason } = walletTransactions;
  const isWaiting = and(eq(waitReason, "quota"), gt(dueAt, databaseTime()));
  return (await selectOne(tx, [eq(walletTransactions.id, id), sql`${isWaiting}`])) !== null;
}

/** Selects the ids of transactions that are due, the oldest first. */
export async function selectDueTransactions(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      and(
        IS_OPEN,
        lte(walletTransactions.dueAt, databaseTime()),
        lte(walletTransactions.leasedUntil, databaseTime()),
      ),
    )
    .orderBy(asc(walletTransactions.createdAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Leases an open transaction to this process. Null while another process holds its lease, and for a
 * closed one.
 */
export async function leaseTransaction(tx: Tx, id: string, leaseMs: number): Promise<Date | null> {
  const [row] = await tx
    .update(walletTransactions)
    .set({ leasedUntil: databaseTime(leaseMs) })
    .where(
      and(
        eq(walletTransactions.id, id),
        inArray(walletTransactions.status, [...OPEN_STATUSES]),
        lte(walletTransactions.leasedUntil, databaseTime()),
      ),
    )
    .returning({ leasedUntil: walletTransactions.leasedUntil });
  return row?.leasedUntil ?? null;
}

/** Ends a lease, unless it expired and another process holds it. */
export async function endTransactionLease(tx: Tx, id: string, leasedUntil: Date): Promise<void> {
  await tx
    .update(walletTransactions)
    .set({ leasedUntil: new Date(0) })
    .where(and(eq(walletTransactions.id, id), eq(walletTransactions.leasedUntil, leasedUntil)));
}

/** Reads a transaction under a lease, and locks it. Null if the lease is held by another process. */
export async function lockLeasedTransaction(
  tx: Tx,
  id: string,
  leasedUntil: Date,
): Promise<TransactionState | null> {
  const [row] = await tx
    .select({
      transaction: walletTransactions,
      readAt: sql<Date>`${databaseTime()}`.mapWith(walletTransactions.dueAt),
    })
    .from(walletTransactions)
    .where(and(eq(walletTransactions.id, id), eq(walletTransactions.leasedUntil, leasedUntil)))
    .for("update");
  if (!row) return null;
  const { attempts } = row.transaction;
  const [signed] = await tx
    .select()
    .from(signedTransactions)
    .where(and(eq(signedTransactions.transactionId, id), eq(signedTransactions.attempt, attempts)));
  assert(signed || attempts === 0, `the signed form ${attempts} of ${id} is stored`);
  return { ...row, signed: signed ?? null };
}

export type TransactionChange = Pick<
  WalletTransactionRow,
  "status" | "waitReason" | "failure" | "attempts" | "claims" | "updatedAt"
> & {
  /** When it goes on. */
  dueInMs: number;
};

export async function updateWalletTransaction(
  tx: Tx,
  id: string,
  { dueInMs, ...change }: TransactionChange,
): Promise<void> {
  await tx
    .update(walletTransactions)
    .set({ ...change, dueAt: databaseTime(dueInMs) })
    .where(eq(walletTransactions.id, id));
}

export async function insertSignedTransaction(tx: Tx, row: SignedTransactionRow): Promise<void> {
  await tx.insert(signedTransactions).values(row);
}

export async function updateSignedTransaction(
  tx: Tx,
  { transactionId, attempt }: Pick<SignedTransactionRow, "transactionId" | "attempt">,
  change: Partial<Pick<SignedTransactionRow, "isAmbiguous" | "relayerId" | "transactionHash">>,
): Promise<void> {
  await tx
    .update(signedTransactions)
    .set(change)
    .where(
      and(
        eq(signedTransactions.transactionId, transactionId),
        eq(signedTransactions.attempt, attempt),
      ),
    );
}

/** Whether another transaction of the user's wallet is in flight. */
export async function isOtherInFlight(tx: Tx, userId: string, exceptId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      and(eq(walletTransactions.userId, userId), ne(walletTransactions.id, exceptId), IS_IN_FLIGHT),
    )
    .limit(1);
  return rows.length > 0;
}

/**
 * Selects the last deadline of the user's earlier signed forms of a wallet that may have arrived and that could
 * still use a nonce from `nonce` on; null without one.
 */
export async function selectLastDeadline(
  tx: Tx,
  { userId, wallet }: Pick<WalletTransactionRow, "userId" | "wallet">,
  nonce: bigint,
  after: Date,
): Promise<Date | null> {
  const [row] = await tx
    .select({ deadline: sql<Date | null>`max(${signedTransactions.deadline})` })
    .from(signedTransactions)
    .innerJoin(walletTransactions, eq(walletTransactions.id, signedTransactions.transactionId))
    .where(
      and(
        eq(walletTransactions.userId, userId),
        eq(signedTransactions.wallet, wallet),
        sql`${signedTransactions.nonce} >= ${nonce.toString()}::numeric`,
        sql`${signedTransactions.deadline} > ${after.toISOString()}::timestamptz`,
        or(
          eq(signedTransactions.isAmbiguous, true),
          sql`${signedTransactions.relayerId} is not null`,
        ),
      ),
    );
  return row?.deadline ? new Date(row.deadline) : null;
}

/** Whether a claim of a market failed since an instant. */
export async function hasFailedClaim(
  tx: Tx,
  { userId, marketId, since }: { userId: string; marketId: string; since: Date },
): Promise<boolean> {
  const rows = await tx
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.userId, userId),
        eq(walletTransactions.marketId, marketId),
        eq(walletTransactions.kind, "redeem"),
        eq(walletTransactions.status, "failed"),
        gte(walletTransactions.updatedAt, since),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Selects a user's confirmed live claims: of a market, or of all since an instant. Oldest first. */
export async function selectConfirmedClaims(
  tx: Tx,
  userId: string,
  filter: { marketId: string } | { since: Date },
): Promise<Pick<WalletTransactionRow, "claims" | "updatedAt">[]> {
  const condition =
    "marketId" in filter
      ? eq(walletTransactions.marketId, filter.marketId)
      : gte(walletTransactions.updatedAt, filter.since);
  return tx
    .select({ claims: walletTransactions.claims, updatedAt: walletTransactions.updatedAt })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.userId, userId),
        eq(walletTransactions.epoch, LIVE_EPOCH),
        eq(walletTransactions.kind, "redeem"),
        eq(walletTransactions.status, "confirmed"),
        condition,
      ),
    )
    .orderBy(asc(walletTransactions.updatedAt));
}

export async function selectAutomaticClaims(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: automaticClaims.userId })
    .from(automaticClaims)
    .where(eq(automaticClaims.userId, userId));
  return rows.length > 0;
}

export async function putAutomaticClaims(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  if (isOn) {
    await tx
      .insert(automaticClaims)
      .values({ userId, checkedAt: new Date(0) })
      .onConflictDoNothing();
  } else {
    await tx.delete(automaticClaims).where(eq(automaticClaims.userId, userId));
  }
}

/**
 * Takes the users whose positions were not looked at for `everyMs`. Each user goes to one of any number
 * of processes.
 */
export async function takeAutomaticClaims(
  tx: Tx,
  everyMs: number,
  limit: number,
): Promise<string[]> {
  const due = tx
    .select({ userId: automaticClaims.userId })
    .from(automaticClaims)
    .where(lte(automaticClaims.checkedAt, databaseTime(-everyMs)))
    .orderBy(asc(automaticClaims.checkedAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await tx
    .update(automaticClaims)
    .set({ checkedAt: databaseTime() })
    .where(inArray(automaticClaims.userId, due))
    .returning({ userId: automaticClaims.userId });
  return rows.map(({ userId }) => userId);
}
