import "server-only";
import { sql } from "drizzle-orm";
import { getDatabase, STATEMENT_TIMEOUT_MS, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { deferStatement } from "@/lib/db/pipeline";
import { Patience, Turns } from "@/lib/db/turns";
import { env } from "@/lib/env";

/** One caller holds the market's lock and one waits for it in the database. Others wait in memory. */
const PER_MARKET = 2;
/**
 * The most connections of the pool that all markets together may use. The rest remain for reads,
 * authentication, /health and the reconciler, however many markets are locked.
 */
const PER_PROCESS = 6;
/** How long a transaction of several orders waits for another one's claim or account. */
const SHORT_WAIT_MS = 100;

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const TURNS = Symbol.for("ante.market-turns");
const CHANGES = Symbol.for("ante.market-changes");
const holder = globalThis as typeof globalThis & {
  [TURNS]?: { all: Turns; markets: Turns };
  [CHANGES]?: Map<string, number>;
};
const changes = (holder[CHANGES] ??= new Map());
const turns = (holder[TURNS] ??= {
  all: new Turns("market", PER_PROCESS),
  markets: new Turns("market", PER_MARKET),
});

/**
 * Runs a transaction that locks a market. Only a few of these use the database at a time, so that a
 * locked market cannot exhaust the pool. Waiting in the queue and for the lock takes at most as long as
 * `patience` lasts.
 *
 * @throws NoTurn when the wait in the queue takes longer.
 */
export function withMarketTransaction<T>(
  marketId: string,
  work: (tx: Tx) => Promise<T>,
  patience = new Patience(env().IN_PROGRESS_WAIT_MS),
): Promise<T> {
  const run = () =>
    turns.all.take("", patience, () =>
      withTransaction(async (tx) => {
        await limitWaits(tx, patience.left);
        return work(tx);
      }),
    );
  // A failed transaction may have been committed, so it counts.
  return turns.markets
    .take(marketId, patience, run)
    .finally(() => changes.set(marketId, countMarketChanges(marketId) + 1));
}

/**
 * Runs a transaction that locks several markets, all at its turn and none of them after a wait of its own.
 * Each of its statements waits for other locks for a short time only.
 *
 * @throws NoTurn when the wait in the queue takes longer than a request may wait.
 */
export function withMarketsTransaction<T>(
  marketIds: readonly string[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const patience = new Patience(env().IN_PROGRESS_WAIT_MS);
  const run = () =>
    withTransaction(async (tx) => {
      await limitWaits(tx, SHORT_WAIT_MS, patience.left);
      return work(tx);
    });
  return turns.all.take("", patience, run).finally(() => {
    for (const id of marketIds) changes.set(id, countMarketChanges(id) + 1);
  });
}

/** Counts the transactions of this process that may have changed a market. */
export function countMarketChanges(marketId: string): number {
  return changes.get(marketId) ?? 0;
}

/** Limits the wait for each lock of a transaction, and of a statement for all of its locks. */
async function limitWaits(tx: Tx, lockMs: number, statementMs = lockMs): Promise<void> {
  if ((await getDatabase()).kind === "embedded") return;
  await deferStatement(
    tx,
    sql`select set_config('lock_timeout', ${String(lockMs)}::text, true),
      set_config('statement_timeout', ${String(statementMs)}::text, true)`,
  );
}

/** Restores the usual statement timeout, for statements after the market's lock. */
export async function restoreStatementTimeout(tx: Tx): Promise<void> {
  if ((await getDatabase()).kind === "embedded") return;
  await deferStatement(
    tx,
    sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}::text, true)`,
  );
}
