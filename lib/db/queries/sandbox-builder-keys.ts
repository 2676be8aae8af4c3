import "server-only";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { sandboxBuilderKeys } from "@/lib/db/schema/sandbox";

type BuilderKeyRow = typeof sandboxBuilderKeys.$inferSelect;

export async function insertBuilderKey(
  tx: Tx,
  key: Pick<BuilderKeyRow, "id" | "owner" | "createdAt">,
): Promise<void> {
  await tx.insert(sandboxBuilderKeys).values(key);
}

/** Selects a key unless it was revoked. */
export async function selectBuilderKey(tx: Tx, id: string): Promise<BuilderKeyRow | null> {
  const [row] = await tx
    .select()
    .from(sandboxBuilderKeys)
    .where(and(eq(sandboxBuilderKeys.id, id), isNull(sandboxBuilderKeys.deletedAt)));
  return row ?? null;
}

/** Selects an owner's keys that were not revoked, oldest first. */
export function selectBuilderKeysOf(tx: Tx, owner: string): Promise<BuilderKeyRow[]> {
  return tx
    .select()
    .from(sandboxBuilderKeys)
    .where(and(eq(sandboxBuilderKeys.owner, owner), isNull(sandboxBuilderKeys.deletedAt)))
    .orderBy(asc(sandboxBuilderKeys.createdAt), asc(sandboxBuilderKeys.id));
}

export async function deleteBuilderKeys(tx: Tx, owner: string, at: Date): Promise<void> {
  await tx
    .update(sandboxBuilderKeys)
    .set({ deletedAt: at })
    .where(and(eq(sandboxBuilderKeys.owner, owner), isNull(sandboxBuilderKeys.deletedAt)));
}
