import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { passwordResets } from "@/lib/db/schema/dashboard";

type ResetRow = typeof passwordResets.$inferSelect;

export async function insertReset(tx: Tx, row: ResetRow): Promise<void> {
  await tx.insert(passwordResets).values(row);
}

/** Selects a reset link with its user, even if used or expired; null if it doesn't exist. */
export async function selectReset(
  tx: Tx,
  tokenHash: string,
): Promise<{ reset: ResetRow; email: string } | null> {
  const [row] = await tx
    .select({ reset: passwordResets, email: users.email })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(eq(passwordResets.tokenHash, tokenHash));
  return row ?? null;
}

/** Ends an active link. Returns false if it had ended before. */
export async function endReset(tx: Tx, tokenHash: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(passwordResets)
    .set({ endedAt: at })
    .where(and(eq(passwordResets.tokenHash, tokenHash), isNull(passwordResets.endedAt)))
    .returning({ tokenHash: passwordResets.tokenHash });
  return rows.length === 1;
}

/** Ends every active link of a user. */
export async function endUserResets(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx
    .update(passwordResets)
    .set({ endedAt: at })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.endedAt)));
}
