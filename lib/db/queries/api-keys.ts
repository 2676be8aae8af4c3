import "server-only";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { and, count, desc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

const selectKeyById = prepareOnce((tx) =>
  tx
    .select({ key: apiKeys, userStatus: users.status })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.id, sql.placeholder("id")))
    .prepare("key_by_id"),
);

/** Selects a key with the status of its owner. */
export async function selectApiKey(
  tx: Tx,
  id: string,
): Promise<{ key: ApiKeyRow; userStatus: "active" | "disabled" } | null> {
  const [row] = await selectKeyById(tx).execute({ id });
  return row ?? null;
}

/** Selects keys by id, with the status of their owners. */
export function selectApiKeysById(
  tx: Tx,
  ids: readonly string[],
): Promise<{ key: ApiKeyRow; userStatus: "active" | "disabled" }[]> {
  return tx
    .select({ key: apiKeys, userStatus: users.status })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(inArray(apiKeys.id, [...ids]));
}

/** Selects the key that a form of the user created; null if it created none. */
export async function selectKeyOfForm(
  tx: Tx,
  userId: string,
  formId: string,
): Promise<ApiKeyRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.formId, formId)));
  return row ?? null;
}

/** Selects every key of a user, newest first. */
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
 * Counts a user's keys that are active at `at`. Locks the user until the transaction ends, so that
 * concurrent creations are counted one after the other.
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

/** Records a use, unless one was recorded after `before`, so that few requests need a write. */
export async function touchApiKey(tx: Tx, id: string, at: Date, before: Date): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))));
}

export async function updateApiKeyName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.update(apiKeys).set({ name }).where(eq(apiKeys.id, id));
}
