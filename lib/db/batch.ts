import "server-only";
import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "@/lib/db/database";
import { PlainStatement } from "@/lib/db/plain-statement";

/**
 * Runs several writes of one transaction as one statement, in one round trip. No two of them may
 * touch the same row, and none sees the changes of another.
 */
export async function writeTogether(tx: Tx, writes: readonly (SQL | NamedQuery)[]): Promise<void> {
  if (writes.length > 0) await tx.execute(combineWrites(writes));
}

/** A part of a statement that other parts refer to by name. */
export interface NamedQuery {
  name: string;
  query: SQL;
}

/** Combines one or more writes into one statement, which selects `result`. */
export function combineWrites(
  writes: readonly (SQL | NamedQuery)[],
  result: SQL = sql.raw(""),
): SQL {
  const parts = writes.map((write, index) => {
    const { name, query } = "query" in write ? write : { name: `write_${index}`, query: write };
    return sql`${sql.raw(name)} as (${query})`;
  });
  const statement = sql`with ${sql.join(parts, sql.raw(", "))} select ${result}`;
  return new PlainStatement(statement.queryChunks);
}

/**
 * Builds an insert of rows, in their order. The rows are one parameter, so that the statement's text,
 * and with it the prepared statement, is the same for any number of rows. `bigserial` columns are
 * left to the database.
 *
 * @param computed expressions that replace a column of the rows, by column name.
 */
export function insertRows(
  table: PgTable,
  rows: readonly object[],
  computed: Readonly<Record<string, SQL>> = {},
): SQL {
  const { into, inserted, insert, from, names } = describeTable(table);
  const json = JSON.stringify(rows.map((row) => toRecord(row, names)));
  if (Object.keys(computed).length === 0) return sql`${insert}${json}::text::json)`;
  const values = inserted.map((name) => computed[name] ?? sql.raw(`"${name}"`));
  return sql`${sql.raw(into)} select ${sql.join(values, sql.raw(", "))} from ${sql.raw(from)}${json}::text::json)`;
}

/** Encodes rows as one parameter for `json_to_recordset`. Bigints become text. */
export function toJsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => toRecord(row)));
}

/**
 * Builds the condition that a text column is in a list, which is one parameter. The list is hashed
 * once; `= any($1::text::text[])` would parse it again for every row.
 */
export function isIn(column: SQL, texts: readonly string[]): SQL {
  return sql`${column} in (select unnest(${toTextArray(texts)}::text::text[]))`;
}

/**
 * Builds the same condition for a few values of an indexed column. It always uses the index. `isIn` makes Postgres
 * read a small table in full, because it expects ten values. The select parses the list once.
 */
export function isOneOf(column: SQL, texts: readonly string[]): SQL {
  return sql`${column} = any((select ${toTextArray(texts)}::text::text[])::text[])`;
}

/** Encodes texts as one parameter for `unnest(…::text::text[])`. */
export function toTextArray(texts: readonly (string | null)[]): string {
  const quoted = texts.map((text) =>
    text === null ? "null" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`,
  );
  return `{${quoted.join(",")}}`;
}

/** Lists the columns of a table for a hand-written select. */
export function listColumns(table: PgTable, alias: string): SQL {
  const { columns } = describeTable(table);
  return sql.raw(columns.map(({ name }) => `${alias}."${name}"`).join(", "));
}

/** Decodes a row of such a select like drizzle decodes the table's rows. */
export function decodeRow<T extends PgTable>(
  table: T,
  raw: Record<string, unknown>,
): T["$inferSelect"] {
  const row: Record<string, unknown> = {};
  for (const { key, name, column } of describeTable(table).columns) {
    const value = raw[name];
    row[key] = value === null || value === undefined ? null : column.mapFromDriverValue(value);
  }
  return row as T["$inferSelect"];
}

interface TableShape {
  columns: { key: string; name: string; column: Column }[];
  /** Column names by property. */
  names: ReadonlyMap<string, string>;
  /** Names of the columns that an insert sets. */
  inserted: readonly string[];
  /** The insert of all columns up to the parameter. */
  insert: SQL;
  /** The insert up to its select, and the select's source up to the parameter. */
  into: string;
  from: string;
}

const shapes = new Map<PgTable, TableShape>();

function describeTable(table: PgTable): TableShape {
  const known = shapes.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    column,
  }));
  const inserted = columns.filter(({ column }) => column.getSQLType() !== "bigserial");
  const list = inserted.map(({ name }) => `"${name}"`).join(", ");
  const { name: tableName } = getTableConfig(table);
  const into = `insert into "${tableName}" (${list})`;
  const from = `json_populate_recordset(null::"${tableName}", `;
  const shape = {
    columns,
    names: new Map(inserted.map(({ key, name }) => [key, name])),
    inserted: inserted.map(({ name }) => name),
    insert: sql.raw(`${into} select ${list} from ${from}`),
    into,
    from,
  };
  shapes.set(table, shape);
  return shape;
}

/** Converts a row to values that JSON can hold, with keys renamed by `names`. */
function toRecord(row: object, names?: ReadonlyMap<string, string>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row) as [string, unknown][]) {
    const name = names ? names.get(key) : key;
    if (name === undefined) continue;
    record[name] = typeof value === "bigint" ? value.toString() : value;
  }
  return record;
}
