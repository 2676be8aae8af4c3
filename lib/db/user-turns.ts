import "server-only";
import { Patience, Turns } from "@/lib/db/turns";
import { env } from "@/lib/env";

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const TURNS = Symbol.for("ante.user-turns");
const holder = globalThis as typeof globalThis & { [TURNS]?: Turns };
const turns = (holder[TURNS] ??= new Turns("account", 1));

/**
 * Runs the transaction of an order that locks its user's row exclusively. A process runs one of these per
 * user at a time, because a second one would only occupy a connection while it waits for the lock.
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
