import "server-only";
import { Pool, type PoolConfig } from "pg";
import { monotonic, pause } from "@/lib/clock";
import { isOverdrawn, isSerializationFailure } from "@/lib/db/errors";

/** Long, because at `serializable` each of several transactions that compete for a row fails several times. */
const REPEAT_WITHIN_MS = 10_000;
/** A slow machine may spend that time on one attempt. */
const LEAST_ATTEMPTS = 5;
/** The longest pause before the third attempt. It doubles with each further one. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 256;

/**
 * Runs something that changes nothing if it fails, and repeats it after a deadlock or a serialization
 * failure. Attempts that collide pause for different times.
 */
export async function repeatFailed<T>(attempt: () => Promise<T>): Promise<T> {
  const endsAt = monotonic() + REPEAT_WITHIN_MS;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = attempts >= LEAST_ATTEMPTS && monotonic() >= endsAt;
      if (isLast || !isSerializationFailure(error)) throw error;
      const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 2), MAX_PAUSE_MS);
      if (attempts > 1) await pause(Math.random() * longestMs);
    }
  }
}

/** The most attempts of a transaction whose money others spend first. */
const OVERDRAWN_ATTEMPTS = 5;

/**
 * Runs something again if a concurrent transaction spent the money first. The next attempt sees what is left,
 * and so refuses by itself or fits.
 */
export async function repeatOverdrawn<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= OVERDRAWN_ATTEMPTS || !isOverdrawn(error)) throw error;
    }
  }
}

/** A pool that repeats single statements after a deadlock or a serialization failure. */
export class RepeatingPool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
    const query = (...args: unknown[]) =>
      repeatFailed(async () => super.query(...(args as [string])));
    this.query = query as Pool["query"];
  }
}
