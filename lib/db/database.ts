import "server-only";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** A connection or an open transaction: queries take it as their first argument. */
export type Tx = PgDatabase<PgQueryResultHKT>;

export interface Database {
  kind: "embedded" | "postgres";
  db: Tx;
  close: () => Promise<void>;
}
