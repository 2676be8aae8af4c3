import "server-only";
import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { sandboxKeys } from "@/lib/db/schema/sandbox";

export type SandboxKeyRow = typeof sandboxKeys.$inferSelect;

export async function selectSandboxKey(tx: Tx, id: string): Promise<SandboxKeyRow | null> {
  const [row] = await tx.select().from(sandboxKeys).where(eq(sandboxKeys.id, id));
  return row ?? null;
}

/** Inserts a key, or restores a deleted one. Returns false if an active one exists. */
export async function insertSandboxKey(
  tx: Tx,
  key: Pick<SandboxKeyRow, "id" | "owner" | "nonce" | "createdAt">,
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

/** Selects the owners of API keys, by id. */
export async function selectKeyOwners(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: sandboxKeys.id, owner: sandboxKeys.owner })
    .from(sandboxKeys)
    .where(inArray(sandboxKeys.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

export async function deleteSandboxKey(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.update(sandboxKeys).set({ deletedAt: at }).where(eq(sandboxKeys.id, id));
}

/** Replaces the heartbeat id if it is still `from`. Returns whether it was. */
export async function updateHeartbeat(
  tx: Tx,
  id: string,
  change: { from: string | null; to: string | null },
): Promise<boolean> {
  const before =
    change.from === null
      ? isNull(sandboxKeys.heartbeatId)
      : eq(sandboxKeys.heartbeatId, change.from);
  const rows = await tx
    .update(sandboxKeys)
    .set({ heartbeatId: change.to, heartbeatAt: change.to === null ? null : databaseTime() })
    .where(and(eq(sandboxKeys.id, id), before))
    .returning({ id: sandboxKeys.id });
  return rows.length === 1;
}

/** Selects the keys whose last heartbeat is older than `silenceMs`. */
export function selectSilentKeys(tx: Tx, silenceMs: number): Promise<SandboxKeyRow[]> {
  return tx
    .select()
    .from(sandboxKeys)
    .where(lt(sandboxKeys.heartbeatAt, databaseTime(-silenceMs)));
}
