import "server-only";
import { sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";

/** Deletes the counts of all limits whose last window ended before `beforeMs`. */
export async function deleteEndedLimits(db: Tx, beforeMs: number): Promise<void> {
  const before = sql`${beforeMs}::double precision`;
  await db.execute(sql`delete from rate_limits where expire < ${before}`);
  await db.execute(sql`delete from guess_logs where times[cardinality(times)] < ${before}`);
  await db.execute(sql`delete from write_quotas where full_at_s * 1000 < ${before}`);
}
