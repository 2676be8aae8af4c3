import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { replacedDatabaseTime } from "@/lib/clock";

/**
 * Returns the database's time plus `afterMs`. Use it for every instant that one process writes and
 * another one compares with the time (leases, heartbeats), because the clocks of hosts differ.
 */
export function databaseTime(afterMs = 0): SQL<Date> {
  const replaced = replacedDatabaseTime();
  const time =
    replaced === null
      ? sql`clock_timestamp()`
      : sql`${new Date(replaced).toISOString()}::timestamptz`;
  return sql`(${time} + ${afterMs}::double precision * interval '1 millisecond')`;
}
