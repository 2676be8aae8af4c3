import "server-only";
import { eq, lt } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { waitingSignIns } from "@/lib/db/schema/second-factor";

export type WaitingSignInRow = typeof waitingSignIns.$inferSelect;

export async function insertWaitingSignIn(tx: Tx, row: WaitingSignInRow): Promise<void> {
  await tx.insert(waitingSignIns).values(row);
}

/** Selects a sign-in of an active user; null if it doesn't exist. */
export async function selectWaitingSignIn(
  tx: Tx,
  id: string,
): Promise<{ signIn: WaitingSignInRow; email: string } | null> {
  const [row] = await tx
    .select({ signIn: waitingSignIns, email: users.email, status: users.status })
    .from(waitingSignIns)
    .innerJoin(users, eq(users.id, waitingSignIns.userId))
    .where(eq(waitingSignIns.id, id));
  return row?.status === "active" ? row : null;
}

/** Deletes a sign-in. Returns it, or null if it no longer exists. */
export async function takeWaitingSignIn(tx: Tx, id: string): Promise<WaitingSignInRow | null> {
  const [row] = await tx.delete(waitingSignIns).where(eq(waitingSignIns.id, id)).returning();
  return row ?? null;
}

export async function deleteWaitingSignIns(tx: Tx, userId: string): Promise<void> {
  await tx.delete(waitingSignIns).where(eq(waitingSignIns.userId, userId));
}

export async function deleteWaitingSignInsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.delete(waitingSignIns).where(lt(waitingSignIns.createdAt, before));
}
