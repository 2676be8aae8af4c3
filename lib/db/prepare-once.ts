import "server-only";
import type { Tx } from "@/lib/db/database";

/**
 * Caches a query with placeholders per database, because building a query costs as much as running
 * it.
 */
export function prepareOnce<Query>(build: (tx: Tx) => Query): (tx: Tx) => Query {
  const built = new WeakMap<Tx, Query>();
  return (tx) => {
    const known = built.get(tx);
    if (known) return known;
    const query = build(tx);
    built.set(tx, query);
    return query;
  };
}
