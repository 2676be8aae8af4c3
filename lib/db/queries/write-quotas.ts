import "server-only";
import { sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";
import { databaseTime } from "@/lib/db/database-time";

interface TakenRow {
  is_allowed: boolean;
  /** Seconds until the bucket is full again. */
  full_in_s: number;
}

/**
 * Takes one write from a caller's bucket, which all processes share, in one round trip. The bucket holds
 * `quota` writes and fills up by `perSecond` each second. A refused write takes nothing.
 */
export async function takeWrite(
  caller: string,
  { quota, perSecond }: { quota: number; perSecond: number },
): Promise<{ isAllowed: boolean; fullInS: number }> {
  const atS = sql`extract(epoch from ${databaseTime()})::double precision`;
  const [taken] = await selectRows<TakenRow>(
    await getDb(),
    sql`with clock as (
        select ${atS} as at_s, 1 / ${perSecond}::double precision as each_s,
          ${quota}::double precision / ${perSecond}::double precision as all_s
      ), taken as (
        insert into write_quotas as held (caller, full_at_s)
        select ${caller}::text, at_s + each_s from clock
        on conflict (caller) do update
          set full_at_s = greatest(held.full_at_s, (select at_s from clock)) + (select each_s from clock)
          where held.full_at_s + (select each_s - at_s from clock) <= (select all_s from clock)
        returning full_at_s
      )
      select true as is_allowed, full_at_s - at_s as full_in_s from taken, clock
      union all
      select false, coalesce((select full_at_s from write_quotas where caller = ${caller}::text), at_s + all_s) - at_s
      from clock where not exists (select from taken)`,
  );
  if (!taken) throw new Error("a write is either allowed or refused");
  return { isAllowed: taken.is_allowed, fullInS: Math.max(0, taken.full_in_s) };
}
