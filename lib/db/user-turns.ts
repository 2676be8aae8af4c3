import "server-only";
import { Patience, Turns } from "@/lib/db/turns";
import { env } from "@/lib/env";

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const TURNS = Symbol.for("ante.user-turns");
const holder = globalThis as typeof globalThis & { [TURNS]?: Turns };
/** One holds the user's lock and one waits for it in the database. Others wait in memory. */
const PER_USER = 2;
const turns = (holder[TURNS] ??= new Turns("account", PER_USER));

/**
 * Runs the transaction of an order that locks its user's row exclusively. A process runs two of these per
 * user at a time: more would only occupy connections while they wait for the lock, and with one alone the
 * lock would be free while the next begins.
 *
 * @throws NoTurn when the wait takes longer than a request may wait.
 */
export function withUserTurn<T>(
  userId: string,
  work: (patience: Patience) => Promise<T>,
): Promise<T> {
  const patience = new Patience(env().IN_PROGRESS_WAIT_MS);
  return turns.take(userId, patience, () => work(patience));
}
