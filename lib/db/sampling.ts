import "server-only";
import { type SQL, sql } from "drizzle-orm";

/** Evenly spaced instants: sample `n` is at `from + n * stepMs`. */
export interface Sampling {
  from: number;
  stepMs: number;
  /** At least two. */
  count: number;
}

/** Builds the number of the first sample at or after a time; the last sample for later times. */
export function buildSampleNumber(at: SQL, { from, stepMs, count }: Sampling): SQL {
  return sql`least(${count - 1}::int,
    ceil((extract(epoch from ${at}) * 1000 - ${from}::bigint) / ${stepMs}::bigint)::int)`;
}
