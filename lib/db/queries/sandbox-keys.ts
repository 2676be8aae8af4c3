import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { sandboxKeys } from "@/lib/db/schema/sandbox";

export type SandboxKeyRow = typeof sandboxKeys.$inferSelect;

export async function selectSandboxKey(tx: Tx, id: string): Promise<SandboxKeyRow | null> {
  const [row] = await tx.select().from(sandboxKeys).where(eq(sandboxKeys.id, id));
  return row ?? null;
}

/** Makes a key, or brings a deleted one back. Returns whether it was not there before. */
export async function insertSandboxKey(
  tx: Tx,
  key: Omit<SandboxKeyRow, "deletedAt">,
): Promise<boolean> {
  const [made] = await tx
    .insert(sandboxKeys)
    .values({ ...key, deletedAt: null })
    .onConflictDoNothing()
    .returning({ id: sandboxKeys.id });
  if (made) return true;
  const found = await selectSandboxKey(tx, key.id);
  if (found?.deletedAt === null) return false;
  await tx.update(sandboxKeys).set({ deletedAt: null }).where(eq(sandboxKeys.id, key.id));
  return true;
}

export async function selectKeysOfOwner(tx: Tx, owner: string): Promise<SandboxKeyRow[]> {
  return tx
    .select()
    .from(sandboxKeys)
    .where(and(eq(sandboxKeys.owner, owner), isNull(sandboxKeys.deletedAt)));
}

export async function deleteSandboxKey(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.update(sandboxKeys).set({ deletedAt: at }).where(eq(sandboxKeys.id, id));
}
