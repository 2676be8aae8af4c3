import "server-only";
import { and, count, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { compiled } from "@/lib/db/compiled";
import type { Tx } from "@/lib/db/database";
import { apiKeys, users } from "@/lib/db/schema/accounts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

const keyById = compiled((tx) =>
  tx
    .select({ key: apiKeys, userStatus: users.status })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.id, sql.placeholder("id")))
    .prepare("key_by_id"),
);

/** A key with the state of its owner. */
export async function selectApiKey(
  tx: Tx,
  id: string,
): Promise<{ key: ApiKeyRow; userStatus: "active" | "disabled" } | null> {
  const [row] = await keyById(tx).execute({ id });
  return row ?? null;
}

/** Every key of a user, newest first. */
export function selectApiKeys(tx: Tx, userId: string): Promise<ApiKeyRow[]> {
  return tx
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.insert(apiKeys).values(row);
}

/**
 * Keys of a user that still work at `at`. The user's row stays locked until the transaction ends, so
 * that keys made at once are counted one after another.
 */
export async function countActiveKeys(tx: Tx, userId: string, at: Date): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  const [row] = await tx
    .select({ total: count() })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
      ),
    );
  return row?.total ?? 0;
}

export async function updateApiKey(
  tx: Tx,
  id: string,
  change: Partial<Pick<ApiKeyRow, "expiresAt" | "revokedAt" | "replacedBy">>,
): Promise<void> {
  await tx.update(apiKeys).set(change).where(eq(apiKeys.id, id));
}

/** Notes a use, unless one was noted after `before`: not every request is worth a write. */
export async function touchApiKey(tx: Tx, id: string, at: Date, before: Date): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))));
}
