import "server-only";
import { and, desc, eq, inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { watchlist } from "@/lib/db/schema/dashboard";

/** Selects the ids of a user's watched markets, last added first. */
export async function selectWatchedIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ marketId: watchlist.marketId })
    .from(watchlist)
    .where(eq(watchlist.userId, userId))
    .orderBy(desc(watchlist.createdAt), watchlist.marketId);
  return rows.map((row) => row.marketId);
}

export async function insertWatched(
  tx: Tx,
  userId: string,
  { marketIds, at }: { marketIds: readonly string[]; at: Date },
): Promise<void> {
  if (marketIds.length === 0) return;
  await tx
    .insert(watchlist)
    .values(marketIds.map((marketId) => ({ userId, marketId, createdAt: at })))
    .onConflictDoNothing();
}

export async function deleteWatched(
  tx: Tx,
  userId: string,
  marketIds: readonly string[],
): Promise<void> {
  await tx
    .delete(watchlist)
    .where(and(eq(watchlist.userId, userId), inArray(watchlist.marketId, [...marketIds])));
}
