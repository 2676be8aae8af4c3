import "server-only";
import { and, asc, eq, lt, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { passkeyChallenges, passkeys } from "@/lib/db/schema/second-factor";

export type PasskeyRow = typeof passkeys.$inferSelect;
export type ChallengeRow = typeof passkeyChallenges.$inferSelect;

/** Selects the passkeys of a user, oldest first. */
export function selectPasskeys(tx: Tx, userId: string): Promise<PasskeyRow[]> {
  return tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** Inserts a passkey. Returns false if its credential id is registered already, for any user. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const rows = await tx
    .insert(passkeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/**
 * Records a use of a passkey. Returns false if its counter did not go up, which means a copy of the
 * authenticator or a use at the same time. Passkeys that don't count always send 0.
 */
export async function usePasskey(
  tx: Tx,
  { id, counter, at }: { id: string; counter: number; at: Date },
): Promise<boolean> {
  const neverCounts = counter === 0 ? eq(passkeys.counter, 0) : undefined;
  const rows = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: at })
    .where(and(eq(passkeys.id, id), or(lt(passkeys.counter, counter), neverCounts)))
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/** Deletes a passkey of a user. Returns its name, or null if the user has no such passkey. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<string | null> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ name: passkeys.name });
  return row?.name ?? null;
}

export async function deletePasskeys(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
}

/** Stores a challenge in place of the former one of the same holder and purpose. */
export async function putChallenge(tx: Tx, row: ChallengeRow): Promise<void> {
  const { challenge, expiresAt } = row;
  await tx
    .insert(passkeyChallenges)
    .values(row)
    .onConflictDoUpdate({
      target: [passkeyChallenges.holderId, passkeyChallenges.purpose],
      set: { challenge, expiresAt },
    });
}

/** Deletes a challenge, so that it works once. Returns it, or null if there is none. */
export async function takeChallenge(
  tx: Tx,
  { holderId, purpose }: Pick<ChallengeRow, "holderId" | "purpose">,
): Promise<ChallengeRow | null> {
  const [row] = await tx
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.holderId, holderId), eq(passkeyChallenges.purpose, purpose)))
    .returning();
  return row ?? null;
}

export async function deleteChallengesBefore(tx: Tx, at: Date): Promise<void> {
  await tx.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, at));
}
