import "server-only";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** A connection or an open transaction, the first argument of every query. */
export type Tx = PgDatabase<PgQueryResultHKT>;

/** Isolation and access of a transaction; without them, it is read committed and can write. */
export interface TransactionMode {
  isolationLevel: "repeatable read";
  accessMode: "read only";
}

export interface Database {
  kind: "embedded" | "postgres";
  db: Tx;
  /** Runs `work` in a transaction. `withTransaction` also retries it. */
  transaction: <T>(work: (tx: Tx) => Promise<T>, mode?: TransactionMode) => Promise<T>;
  close: () => Promise<void>;
}
