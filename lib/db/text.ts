import "server-only";
import { type AnyColumn, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { markets } from "@/lib/db/schema/trading";

/**
 * Builds an equality with a caller's text, or no condition if it is undefined. Matches nothing if the
 * text contains NUL, which Postgres cannot store.
 */
export function textEquals(column: AnyColumn, text: string | undefined): SQL | undefined {
  if (text === undefined) return undefined;
  return text.includes("\0") ? sql`false` : eq(column, text);
}

/** Builds the condition that a column's text comes before a caller's one, or no condition if it is null. */
export function textIsBefore(column: AnyColumn, text: string | null): SQL | undefined {
  if (text === null) return undefined;
  return text.includes("\0") ? sql`false` : lt(column, text);
}

/** Builds the condition that one of the columns has this text in it, in any letter case. */
export function textContains(
  columns: readonly AnyColumn[],
  text: string | undefined,
): SQL | undefined {
  if (text === undefined) return undefined;
  if (text.includes("\0")) return sql`false`;
  return or(...columns.map((column) => sql`strpos(lower(${column}), lower(${text}::text)) > 0`));
}

/**
 * Builds the condition that a row's market has this id or slug, or no condition if it is undefined.
 * Every order, fill and ledger entry refers to a stored market, so no venue needs to be queried.
 */
export function isInMarket(column: AnyColumn, idOrSlug: string | undefined): SQL | undefined {
  if (idOrSlug === undefined) return undefined;
  if (idOrSlug.includes("\0")) return sql`false`;
  return sql`${column} in (select known.id from ${markets} known
    where known.id = ${idOrSlug} or known.slug = ${idOrSlug})`;
}
