// Failures of transactions that a database may report at any time: 40001 and 40P01.
import { sql } from "drizzle-orm";
import { Pool } from "pg";
import type { Database } from "@/lib/db/database";
import { Random } from "@/tests/support/random";

const SEED = 20;
const STATES = ["40001", "40P01"];

export interface FailingDatabase extends Database {
  /** Counts the failures so far. */
  countFailures: () => number;
  /** Lets single statements succeed again. */
  restore: () => void;
}

let isPaused = false;

/** Lets transactions and statements succeed until the returned function is called. */
export function pauseFailures(): () => void {
  isPaused = true;
  return () => (isPaused = false);
}

/**
 * Wraps a Postgres database so that a share of its transactions and of all pools' single statements fail:
 * the server reports the failure at the transaction's beginning or before its end, and rolls it back.
 */
export function withSerializationFailures(database: Database, share: number): FailingDatabase {
  const random = new Random(SEED);
  let failures = 0;
  /** Returns a statement that fails, or null if this transaction succeeds. */
  const draw = () => {
    if (isPaused || !random.chance(share)) return null;
    failures += 1;
    return `do $$ begin raise exception using errcode = '${random.pick(STATES)}'; end $$`;
  };
  const transaction: Database["transaction"] = (work, mode) =>
    database.transaction(async (tx) => {
      const failure = draw();
      const fail = async () => {
        if (failure !== null) await tx.execute(sql.raw(failure));
      };
      const failsFirst = random.chance(0.5);
      if (failsFirst) await fail();
      const result = await work(tx);
      if (!failsFirst) await fail();
      return result;
    }, mode);
  const restore = failQueries(draw);
  return { ...database, transaction, countFailures: () => failures, restore };
}

/** Makes the pools of the driver send a failing statement first where `draw` returns one. */
function failQueries(draw: () => string | null): () => void {
  const { prototype } = Pool;
  // The methods of the pool's base class, which the pool inherits.
  const original = Reflect.get(prototype, "query") as (...args: unknown[]) => Promise<unknown>;
  const query = async function (this: Pool, ...args: unknown[]) {
    const failure = draw();
    if (failure !== null) await original.call(this, failure);
    return original.apply(this, args);
  };
  Object.defineProperty(prototype, "query", { value: query, configurable: true, writable: true });
  return () => {
    Reflect.deleteProperty(prototype, "query");
  };
}
