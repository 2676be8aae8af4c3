import "server-only";
import { and, count, desc, eq, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { textEquals } from "@/lib/db/text";
import { apiRequests } from "@/lib/db/schema/dashboard";

export type ApiRequestRow = typeof apiRequests.$inferSelect;

export interface ApiRequestFilter {
  userId: string;
  id?: string | undefined;
  keyId?: string | undefined;
  /** 2 for 200 to 299; "lost" for responses that a simulated fault dropped. */
  statusClass?: 2 | 4 | 5 | "lost" | undefined;
}

export async function insertApiRequests(tx: Tx, rows: readonly ApiRequestRow[]): Promise<void> {
  await tx.execute(sql`${insertRows(apiRequests, rows)} on conflict do nothing`);
}

/** Selects one page of a user's requests, newest first, starting after `after`. */
export function selectApiRequests(
  tx: Tx,
  filter: ApiRequestFilter,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<ApiRequestRow[]> {
  const older =
    after &&
    or(
      lt(apiRequests.createdAt, after.createdAt),
      and(eq(apiRequests.createdAt, after.createdAt), lt(apiRequests.id, after.id)),
    );
  return tx
    .select()
    .from(apiRequests)
    .where(
      and(
        eq(apiRequests.userId, filter.userId),
        textEquals(apiRequests.id, filter.id),
        textEquals(apiRequests.keyId, filter.keyId),
        buildStatusCondition(filter.statusClass),
        older ?? undefined,
      ),
    )
    .orderBy(desc(apiRequests.createdAt), desc(apiRequests.id))
    .limit(limit);
}

/** Counts a user's stored requests by key. */
export async function countApiRequests(tx: Tx, userId: string): Promise<Map<string, number>> {
  const rows = await tx
    .select({ keyId: apiRequests.keyId, total: count() })
    .from(apiRequests)
    .where(eq(apiRequests.userId, userId))
    .groupBy(apiRequests.keyId);
  return new Map(rows.map(({ keyId, total }) => [keyId, total]));
}

/** Deletes all but the newest `limit` requests of a user. */
export async function trimApiRequests(tx: Tx, userId: string, limit: number): Promise<void> {
  const [first] = await tx
    .select({ createdAt: apiRequests.createdAt, id: apiRequests.id })
    .from(apiRequests)
    .where(eq(apiRequests.userId, userId))
    .orderBy(desc(apiRequests.createdAt), desc(apiRequests.id))
    .offset(limit)
    .limit(1);
  if (!first) return;
  const isOlder = or(
    lt(apiRequests.createdAt, first.createdAt),
    and(eq(apiRequests.createdAt, first.createdAt), sql`${apiRequests.id} <= ${first.id}`),
  );
  await tx.delete(apiRequests).where(and(eq(apiRequests.userId, userId), isOlder));
}

/** Deletes all users' requests from before `before`. */
export async function deleteApiRequestsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.delete(apiRequests).where(lt(apiRequests.createdAt, before));
}

function buildStatusCondition(statusClass: ApiRequestFilter["statusClass"]): SQL | undefined {
  if (statusClass === undefined) return undefined;
  if (statusClass === "lost") return isNull(apiRequests.status);
  return and(
    gte(apiRequests.status, statusClass * 100),
    lt(apiRequests.status, (statusClass + 1) * 100),
  );
}
