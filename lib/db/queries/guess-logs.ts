import "server-only";
import { sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";

/** The most guesses in a sliding window. */
export interface GuessBound {
  withinMs: number;
  most: number;
}

interface RecordedRow {
  is_recorded: boolean;
  /** Of all guesses that count, oldest first. Text, because they are too large for an integer. */
  times: string[];
}

/**
 * Records a guess at `atMs` if no bound forbids it; all processes share the record.
 *
 * @returns the milliseconds until another guess is allowed; 0 if this one was recorded.
 */
export async function recordGuess(
  key: string,
  bounds: readonly GuessBound[],
  atMs: number,
): Promise<number> {
  const keptMs = Math.max(...bounds.map(({ withinMs }) => withinMs));
  const isFree = bounds.map(
    ({
      withinMs,
      most,
    }) => sql`coalesce(log.times[cardinality(log.times) - ${most - 1}::integer], 0)
      <= ${atMs - withinMs}::bigint`,
  );
  const [row] = await selectRows<RecordedRow>(
    await getDb(),
    sql`with recorded as (
        insert into guess_logs as log (key, times)
        values (${key}::text, array[${atMs}::bigint])
        on conflict (key) do update
          set times = array(select at from unnest(log.times) at
            where at > ${atMs - keptMs}::bigint order by at) || ${atMs}::bigint
          where ${sql.join(isFree, sql` and `)}
        returning 1
      )
      select exists (select from recorded) as is_recorded,
        coalesce((select times::text[] from guess_logs where key = ${key}::text), '{}') as times`,
  );
  if (!row || row.is_recorded) return 0;
  const waits = bounds.map(({ withinMs, most }) => {
    const oldest = row.times.at(-most);
    return oldest === undefined ? 0 : Number(oldest) + withinMs - atMs;
  });
  // The statement saw guesses that were recorded while it waited for them, but cannot return them.
  return Math.max(1, ...waits);
}

/** Removes the guess that was recorded at `atMs`. */
export async function removeGuess(key: string, atMs: number): Promise<void> {
  await (
    await getDb()
  ).execute(sql`update guess_logs
    set times = times[:array_position(times, ${atMs}::bigint) - 1]
      || times[array_position(times, ${atMs}::bigint) + 1:]
    where key = ${key}::text and ${atMs}::bigint = any(times)`);
}
