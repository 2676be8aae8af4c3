import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { replacedDatabaseTime } from "@/lib/clock";

/**
 * Returns the database's time plus `afterMs`. Use it for every instant that one process writes and
 * another one compares with the time (leases, heartbeats), because the clocks of hosts differ.
 *
 * Cut to the milliseconds that a column keeps. A column rounds, so an instant could be stored as up to
 * half a millisecond in the future, and a lease that ends now would not have ended yet.
 */
export function databaseTime(afterMs = 0): SQL<Date> {
  const replaced = replacedDatabaseTime();
  const time =
    replaced === null
      ? sql`date_trunc('milliseconds', clock_timestamp())`
      : sql`${new Date(replaced).toISOString()}::timestamptz`;
  return sql`(${time} + ${afterMs}::double precision * interval '1 millisecond')`;
}
