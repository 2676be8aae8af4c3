import "server-only";
import { and, asc, eq, gt, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { totpSecrets } from "@/lib/db/schema/second-factor";

export type TotpSecretRow = typeof totpSecrets.$inferSelect;

export async function insertTotpSecret(tx: Tx, row: TotpSecretRow): Promise<void> {
  await tx.insert(totpSecrets).values(row);
}

/** Selects the user's confirmed secret; null if there is none. */
export async function selectTotpSecret(tx: Tx, userId: string): Promise<TotpSecretRow | null> {
  const [row] = await tx
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)));
  return row ?? null;
}

/** Selects the secret that a session sets up; null if there is none. */
export async function selectTotpSetup(tx: Tx, sessionId: string): Promise<TotpSecretRow | null> {
  const [row] = await tx
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.sessionId, sessionId), isNull(totpSecrets.confirmedAt)));
  return row ?? null;
}

/** Deletes every secret of the user in setup. */
export async function deleteTotpSetups(tx: Tx, userId: string): Promise<void> {
  await tx
    .delete(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)));
}

/** Deletes the user's confirmed secret. Returns whether there was one. */
export async function deleteTotpSecret(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .delete(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
    .returning({ id: totpSecrets.id });
  return rows.length > 0;
}

/** Confirms a secret in setup with the step of its first code. Returns false if it is no longer in setup. */
export async function confirmTotpSecret(
  tx: Tx,
  id: string,
  { step, at }: { step: number; at: Date },
): Promise<boolean> {
  const rows = await tx
    .update(totpSecrets)
    .set({ confirmedAt: at, lastStep: step })
    .where(and(eq(totpSecrets.id, id), isNull(totpSecrets.confirmedAt)))
    .returning({ id: totpSecrets.id });
  return rows.length === 1;
}

/** Uses up the code of a time step. Returns false if that or a later one was used before. */
export async function useTotpStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const rows = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(
      and(
        eq(totpSecrets.id, id),
        isNotNull(totpSecrets.confirmedAt),
        or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step)),
      ),
    )
    .returning({ id: totpSecrets.id });
  return rows.length === 1;
}

/** Selects secrets with an id after `after`, by id. */
export function selectTotpSecretsAfter(
  tx: Tx,
  after: string,
  limit: number,
): Promise<TotpSecretRow[]> {
  return tx
    .select()
    .from(totpSecrets)
    .where(gt(totpSecrets.id, after))
    .orderBy(asc(totpSecrets.id))
    .limit(limit);
}

/** Replaces a sealed secret if it is still `from`. Returns whether it was. */
export async function replaceSealedTotp(
  tx: Tx,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx
    .update(totpSecrets)
    .set({ sealedSecret: to })
    .where(and(eq(totpSecrets.id, id), eq(totpSecrets.sealedSecret, from)))
    .returning({ id: totpSecrets.id });
  return rows.length === 1;
}
