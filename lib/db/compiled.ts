import "server-only";
import type { Tx } from "@/lib/db/database";

/**
 * Keeps a query that was built for a database, values left open: building one again costs as much
 * as running it.
 */
export function compiled<Query>(build: (tx: Tx) => Query): (tx: Tx) => Query {
  const built = new WeakMap<Tx, Query>();
  return (tx) => {
    const known = built.get(tx);
    if (known) return known;
    const query = build(tx);
    built.set(tx, query);
    return query;
  };
}
