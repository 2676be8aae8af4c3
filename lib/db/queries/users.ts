import "server-only";
import { and, count, eq, notLike, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import type { AccountRow } from "@/lib/db/rows";
import { users, wallets } from "@/lib/db/schema/accounts";

/** Selects a user with wallet; null if it doesn't exist. */
export async function selectAccount(tx: Tx, userId: string): Promise<AccountRow | null> {
  const [row] = await tx
    .select({
      userId: users.id,
      epoch: users.epoch,
      address: wallets.address,
      funderAddress: wallets.funderAddress,
      allowance: wallets.allowance,
    })
    .from(users)
    .innerJoin(wallets, eq(wallets.userId, users.id))
    .where(eq(users.id, userId));
  return row ?? null;
}

export async function insertUser(
  tx: Tx,
  user: typeof users.$inferInsert,
  wallet: typeof wallets.$inferInsert,
): Promise<void> {
  await tx.insert(users).values(user);
  await tx.insert(wallets).values(wallet);
}

/** Selects all users, oldest first, without the accounts of sandbox wallets. */
export function selectUsers(tx: Tx) {
  return tx
    .select({
      userId: users.id,
      email: users.email,
      status: users.status,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(notLike(users.email, "%.invalid"))
    .orderBy(users.createdAt, users.id);
}

export async function countUsers(tx: Tx): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(users);
  return row?.total ?? 0;
}

/** Locks a user against orders and starts the next epoch. Returns its number. */
export async function startEpoch(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .update(users)
    .set({ epoch: sql`${users.epoch} + 1` })
    .where(eq(users.id, userId))
    .returning({ epoch: users.epoch });
  if (!row) throw new Error(`user ${userId} does not exist`);
  return row.epoch;
}

export interface CredentialsRow {
  userId: string;
  passwordHash: string;
  status: "active" | "disabled";
}

/** Selects a user's credentials by email in lower case; null if it doesn't exist. */
export async function selectCredentials(tx: Tx, email: string): Promise<CredentialsRow | null> {
  const [row] = await tx
    .select({ userId: users.id, passwordHash: users.passwordHash, status: users.status })
    .from(users)
    .where(eq(users.email, email));
  return row ?? null;
}

/** Locks a user's password until the transaction ends. Returns false if the hash has changed. */
export async function lockPassword(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash)))
    .for("share");
  return rows.length === 1;
}

export async function updatePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
}
