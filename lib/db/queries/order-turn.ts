import "server-only";
import { type SQL, sql } from "drizzle-orm";

// Postgres grants the share lock of a row past a waiting exclusive one. A stream of orders would keep a
// freeze waiting for as long as it lasts. Advisory locks are granted in the order of the requests.

const createLockId = (userId: string) => sql`hashtextextended(${userId}::text, 0)`;

/** Waits until no change of the user's limits waits or runs. Orders share the turn until they commit. */
export const takeOrderTurn = (userId: string): SQL =>
  sql`pg_advisory_xact_lock_shared(${createLockId(userId)})`;

/** The same without the wait: false if a change of the user's limits waits or runs. */
export const tryOrderTurn = (userId: SQL): SQL =>
  sql`pg_try_advisory_xact_lock_shared(hashtextextended(${userId}, 0))`;

/** Waits for the user's orders that have begun. Later ones wait until the transaction ends. */
export const takeLimitsTurn = (userId: string): SQL =>
  sql`pg_advisory_xact_lock(${createLockId(userId)})`;
