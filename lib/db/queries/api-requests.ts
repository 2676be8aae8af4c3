import "server-only";
import { and, count, desc, eq, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { selectRows } from "@/lib/db/client";
import { textContains, textEquals } from "@/lib/db/text";
import { apiRequests } from "@/lib/db/schema/dashboard";

export type ApiRequestRow = typeof apiRequests.$inferSelect;

export interface ApiRequestFilter {
  userId: string;
  id?: string | undefined;
  keyId?: string | undefined;
  /** A part of the path. */
  path?: string | undefined;
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
        textContains([apiRequests.path], filter.path),
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

/** The responses of one hour, counted from the start of the sums. */
export interface RequestHour {
  hour: number;
  total: number;
  /** Responses that failed on the side of the service or its venue. */
  failed: number;
}

export interface RequestSums {
  hours: RequestHour[];
  /** Half of the responses took at most this long, and 95 of 100 at most the other; null without any. */
  medianMs: number | null;
  slowMs: number | null;
}

/** Sums a user's stored requests since an instant, by hour. */
export async function sumApiRequests(tx: Tx, userId: string, from: Date): Promise<RequestSums> {
  const isMeant = sql`user_id = ${userId} and created_at >= ${from.toISOString()}::timestamptz`;
  const rows = await selectRows<Record<"hour" | "total" | "failed", string>>(
    tx,
    sql`select floor(extract(epoch from created_at - ${from.toISOString()}::timestamptz) / 3600)::text as hour,
          count(*)::text as total, count(*) filter (where status >= 500)::text as failed
        from api_requests where ${isMeant} group by 1 order by min(created_at)`,
  );
  const [times] = await selectRows<Record<"median" | "slow", string | null>>(
    tx,
    sql`select percentile_disc(0.5) within group (order by duration_ms)::text as median,
          percentile_disc(0.95) within group (order by duration_ms)::text as slow
        from api_requests where ${isMeant}`,
  );
  const toNumber = (text: string | null | undefined) => (text ? Number(text) : null);
  return {
    hours: rows.map(({ hour, total, failed }) => ({
      hour: Number(hour),
      total: Number(total),
      failed: Number(failed),
    })),
    medianMs: toNumber(times?.median),
    slowMs: toNumber(times?.slow),
  };
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
