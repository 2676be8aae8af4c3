import "server-only";
import { and, count, desc, eq, gte, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { selectRows } from "@/lib/db/client";
import { textContains, textEquals } from "@/lib/db/text";
import { apiRequests } from "@/lib/db/schema/dashboard";

export type ApiRequestRow = typeof apiRequests.$inferSelect;

/** A position in the log, which is ordered by time and then by id. */
export type LogPosition = Pick<ApiRequestRow, "createdAt" | "id">;

export interface ApiRequestFilter {
  userId: string;
  id?: string | undefined;
  keyId?: string | undefined;
  /** A part of the path. */
  path?: string | undefined;
  /** 2 for 200 to 299; "lost" for responses that a simulated fault dropped. */
  statusClass?: 2 | 4 | 5 | "lost" | undefined;
  /** Of a run of equal requests: only from its newest request to its oldest one. */
  run?: { newest: LogPosition; oldest: LogPosition } | undefined;
}

export async function insertApiRequests(tx: Tx, rows: readonly ApiRequestRow[]): Promise<void> {
  await tx.execute(sql`${insertRows(apiRequests, rows)} on conflict do nothing`);
}

/** Selects one page of a user's requests, newest first, starting after `after`. */
export function selectApiRequests(
  tx: Tx,
  filter: ApiRequestFilter,
  after: LogPosition | null,
  limit: number,
): Promise<ApiRequestRow[]> {
  return tx
    .select()
    .from(apiRequests)
    .where(buildCondition(filter, after))
    .orderBy(desc(apiRequests.createdAt), desc(apiRequests.id))
    .limit(limit);
}

/** Consecutive equal requests: same key, method, path, status and error. */
export interface ApiRequestRun {
  newest: ApiRequestRow;
  oldest: ApiRequestRow;
  count: number;
  fastestMs: number;
  slowestMs: number;
}

/**
 * Selects one page of the runs of a user's requests, newest first, starting after `after`. A request that placed
 * an order is a run of its own. Postgres reads the requests in the index's order, and stops after the last run.
 */
export async function selectApiRequestRuns(
  tx: Tx,
  filter: ApiRequestFilter,
  after: LogPosition | null,
  limit: number,
): Promise<ApiRequestRun[]> {
  const isLike = (neighbor: SQL) =>
    sql`coalesce(order_id is null and (key_id, method, path, status, error_code)
          is not distinct from (${neighbor}(key_id) over log, ${neighbor}(method) over log,
            ${neighbor}(path) over log, ${neighbor}(status) over log, ${neighbor}(error_code) over log)
          and ${neighbor}(order_id) over log is null, false)`;
  const ends = await selectRows<RunEnd>(
    tx,
    sql`select id, position::int, is_first, is_last from (
          select id, row_number() over log as position,
            not ${isLike(sql`lag`)} as is_first, not ${isLike(sql`lead`)} as is_last
          from api_requests where ${buildCondition(filter, after)}
          window log as (order by created_at desc, id desc)
        ) as positions
        where is_first or is_last order by position limit ${2 * limit}`,
  );
  const lasts = ends.filter((end) => end.is_last);
  const bounds = ends
    .filter((end) => end.is_first)
    .slice(0, limit)
    .flatMap((first, index) => {
      const last = lasts[index];
      return last ? [{ first, last }] : [];
    });
  return readRuns(tx, filter, bounds);
}

/** The first or the last request of a run, or both. */
type RunEnd = { id: string; position: number; is_first: boolean; is_last: boolean };

async function readRuns(
  tx: Tx,
  filter: ApiRequestFilter,
  bounds: readonly { first: RunEnd; last: RunEnd }[],
): Promise<ApiRequestRun[]> {
  if (bounds.length === 0) return [];
  const pairs = sql.join(
    bounds.map(({ first, last }) => sql`(${first.id}, ${last.id})`),
    sql`, `,
  );
  const times = await selectRows<{ id: string; fastest: number; slowest: number }>(
    tx,
    sql`select runs.first_id as id, min(api_requests.duration_ms)::int as fastest,
          max(api_requests.duration_ms)::int as slowest
        from (values ${pairs}) as runs(first_id, last_id)
        join api_requests newest on newest.id = runs.first_id
        join api_requests oldest on oldest.id = runs.last_id
        join api_requests on ${buildCondition(filter, null)}
          and (api_requests.created_at, api_requests.id) <= (newest.created_at, newest.id)
          and (api_requests.created_at, api_requests.id) >= (oldest.created_at, oldest.id)
        group by 1`,
  );
  const timesById = new Map(times.map((row) => [row.id, row]));
  const ids = new Set(bounds.flatMap(({ first, last }) => [first.id, last.id]));
  const rows = await tx
    .select()
    .from(apiRequests)
    .where(inArray(apiRequests.id, [...ids]));
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return bounds.flatMap(({ first, last }) => {
    const [newest, oldest] = [rowsById.get(first.id), rowsById.get(last.id)];
    const time = timesById.get(first.id);
    // The log may have been trimmed meanwhile.
    if (!newest || !oldest || !time) return [];
    return [
      {
        newest,
        oldest,
        count: last.position - first.position + 1,
        fastestMs: time.fastest,
        slowestMs: time.slowest,
      },
    ];
  });
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

function buildCondition(filter: ApiRequestFilter, after: LogPosition | null): SQL | undefined {
  const { run } = filter;
  return and(
    eq(apiRequests.userId, filter.userId),
    textEquals(apiRequests.id, filter.id),
    textEquals(apiRequests.keyId, filter.keyId),
    textContains([apiRequests.path], filter.path),
    buildStatusCondition(filter.statusClass),
    run && compare(sql`<=`, run.newest),
    run && compare(sql`>=`, run.oldest),
    after ? compare(sql`<`, after) : undefined,
  );
}

/** Compares requests with a position of the log, in time and then by id. */
const compare = (operator: SQL, { createdAt, id }: LogPosition): SQL =>
  sql`(${apiRequests.createdAt}, ${apiRequests.id}) ${operator} (${createdAt.toISOString()}::timestamptz, ${id})`;

function buildStatusCondition(statusClass: ApiRequestFilter["statusClass"]): SQL | undefined {
  if (statusClass === undefined) return undefined;
  if (statusClass === "lost") return isNull(apiRequests.status);
  return and(
    gte(apiRequests.status, statusClass * 100),
    lt(apiRequests.status, (statusClass + 1) * 100),
  );
}
