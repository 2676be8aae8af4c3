import "server-only";
import { sql } from "drizzle-orm";
import { getDatabase, STATEMENT_TIMEOUT_MS, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { deferStatement } from "@/lib/db/pipeline";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** One caller holds the market's lock and one waits for it in the database. Others wait in memory. */
const PER_MARKET = 2;
/**
 * The most connections of the pool that all markets together may use. The rest remain for reads,
 * authentication, /health and the reconciler, however many markets are locked.
 */
const PER_PROCESS = 6;

/** Thrown when a market was not free in time. Nothing was changed. */
export class MarketBusy extends AppError {
  constructor(waitMs: number) {
    const seconds = Math.round(waitMs / 100) / 10;
    super(
      "DATABASE_UNAVAILABLE",
      `This market is busy. The request waited ${seconds} s and changed nothing. Send it again.`,
    );
  }
}

/** Admits a number of callers at a time. The others queue in memory, first come first served. */
class Semaphore {
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(readonly size: number) {
    this.#free = size;
  }

  get isIdle(): boolean {
    return this.#free === this.size && this.#queue.size === 0;
  }

  /** Resolves to true once the caller is admitted, or to false after `waitMs`. */
  async enter(waitMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const letIn = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#queue.delete(letIn);
        resolve(false);
      }, waitMs);
      this.#queue.add(letIn);
    });
  }

  leave(): void {
    const [next] = this.#queue;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const TURNS = Symbol.for("ante.market-turns");
const holder = globalThis as typeof globalThis & {
  [TURNS]?: { all: Semaphore; markets: Map<string, Semaphore> };
};
const turns = (holder[TURNS] ??= { all: new Semaphore(PER_PROCESS), markets: new Map() });

/**
 * Runs a transaction that locks a market. Only a few of these use the database at a time, so that a
 * locked market cannot exhaust the pool. Waiting in the queue and for the lock takes at most `waitMs`.
 *
 * @throws MarketBusy when the wait in the queue takes longer.
 */
export async function withMarketTransaction<T>(
  marketId: string,
  work: (tx: Tx) => Promise<T>,
  waitMs = env().IN_PROGRESS_WAIT_MS,
): Promise<T> {
  const startedAt = performance.now();
  const left = () => Math.max(1, Math.round(waitMs - (performance.now() - startedAt)));
  const market = turns.markets.get(marketId) ?? new Semaphore(PER_MARKET);
  turns.markets.set(marketId, market);
  if (!(await market.enter(left()))) throw new MarketBusy(waitMs);
  try {
    if (!(await turns.all.enter(left()))) throw new MarketBusy(waitMs);
    try {
      return await withTransaction(async (tx) => {
        await limitWaits(tx, left());
        return work(tx);
      });
    } finally {
      turns.all.leave();
    }
  } finally {
    market.leave();
    if (market.isIdle) turns.markets.delete(marketId);
  }
}

/** Limits the wait for each lock of a transaction, and of a statement for all of its locks. */
async function limitWaits(tx: Tx, waitMs: number): Promise<void> {
  if ((await getDatabase()).kind === "embedded") return;
  const limit = String(waitMs);
  await deferStatement(
    tx,
    sql`select set_config('lock_timeout', ${limit}::text, true),
      set_config('statement_timeout', ${limit}::text, true)`,
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
