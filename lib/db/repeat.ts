import "server-only";
import { Pool, type PoolConfig } from "pg";
import { monotonic, pause } from "@/lib/clock";
import { isSerializationFailure } from "@/lib/db/errors";

/** At `serializable`, each of several transactions that compete for a row fails several times. */
const MAX_ATTEMPTS = 30;
const REPEAT_WITHIN_MS = 10_000;
/** The longest pause before the third attempt. It doubles with each further one. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 256;

/**
 * Runs something that changes nothing if it fails, and repeats it after failures that a further attempt may
 * not meet. Attempts that collide pause for different times.
 */
export async function repeatFailed<T>(
  attempt: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
): Promise<T> {
  const endsAt = monotonic() + REPEAT_WITHIN_MS;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = attempts >= MAX_ATTEMPTS || monotonic() >= endsAt;
      if (isLast || !mayRepeat(error)) throw error;
      const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 2), MAX_PAUSE_MS);
      if (attempts > 1) await pause(Math.random() * longestMs);
    }
  }
}

/** A pool that repeats single statements after a deadlock or a serialization failure. */
export class RepeatingPool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
    const query = (...args: unknown[]) =>
      repeatFailed(async () => super.query(...(args as [string])), isSerializationFailure);
    this.query = query as Pool["query"];
  }
}
