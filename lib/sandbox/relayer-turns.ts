import "server-only";
import { Patience, Turns } from "@/lib/db/turns";
import { env } from "@/lib/env";

/**
 * The most requests to the relayer that a process handles at a time. Each checks signatures between its
 * statements. With hundreds at once, the statements of the first would wait for the signatures of all
 * others, and the pool's connections with them.
 */
const AT_ONCE = 4;

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const TURNS = Symbol.for("ante.relayer-turns");
const holder = globalThis as typeof globalThis & { [TURNS]?: Turns };
const turns = (holder[TURNS] ??= new Turns("relayer", AT_ONCE));

/**
 * Handles a request to the relayer at its turn. The others wait in memory, first come first served.
 *
 * @throws NoTurn when the wait takes longer than a request may wait.
 */
export function withRelayerTurn<T>(handle: () => Promise<T>): Promise<T> {
  return turns.take("", new Patience(env().IN_PROGRESS_WAIT_MS), handle);
}
