import "server-only";
import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm";

/**
 * Equality with a caller's text, or no condition when it is not given. Postgres cannot store NUL,
 * so nothing equals a text that holds one.
 */
export function textEquals(column: AnyColumn, text: string | undefined): SQL | undefined {
  if (text === undefined) return undefined;
  return text.includes("\0") ? sql`false` : eq(column, text);
}
