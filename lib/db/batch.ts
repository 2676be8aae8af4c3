import "server-only";
import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "@/lib/db/database";

/**
 * Runs several writes of one transaction as one statement, which is one round trip. No two of them
 * may touch the same row, and none sees what another one does.
 */
export async function writeTogether(tx: Tx, writes: readonly SQL[]): Promise<void> {
  if (writes.length > 0) await tx.execute(together(writes));
}

/** A part of a statement that other parts refer to by its name. */
export interface Named {
  name: string;
  query: SQL;
}

/** Several writes as one statement, of which there is at least one. */
export function together(writes: readonly (SQL | Named)[]): SQL {
  const parts = writes.map((write, index) => {
    const { name, query } = "query" in write ? write : { name: `write_${index}`, query: write };
    return sql`${sql.raw(name)} as (${query})`;
  });
  return sql`with ${sql.join(parts, sql.raw(", "))} select`;
}

/**
 * Inserts rows in their order. They are one parameter, so that any number of them makes the same
 * statement, which the server has prepared. The database itself numbers the rows.
 */
export function insertRows(table: PgTable, rows: readonly object[]): SQL {
  const { insert, names } = shapeOf(table);
  const json = JSON.stringify(rows.map((row) => written(row, names)));
  return sql`${sql.raw(insert)}${json}::text::json)`;
}

/** Rows as one parameter, for `json_to_recordset`. Integers of any size go as text. */
export function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => written(row)));
}

/** Texts as one parameter, for `= any(…)`. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** The columns of a table as a hand-written statement selects them. */
export function columnList(table: PgTable, alias: string): SQL {
  const { columns } = shapeOf(table);
  return sql.raw(columns.map(({ name }) => `${alias}."${name}"`).join(", "));
}

/** What such a statement selected, read as the table's own rows are. */
export function decodeRow<T extends PgTable>(
  table: T,
  raw: Record<string, unknown>,
): T["$inferSelect"] {
  const row: Record<string, unknown> = {};
  for (const { key, name, column } of shapeOf(table).columns) {
    const value = raw[name];
    row[key] = value === null || value === undefined ? null : column.mapFromDriverValue(value);
  }
  return row as T["$inferSelect"];
}

interface Shape {
  columns: { key: string; name: string; column: Column }[];
  /** Column names by property. */
  names: ReadonlyMap<string, string>;
  /** The statement up to its parameter. */
  insert: string;
}

const shapes = new Map<PgTable, Shape>();

function shapeOf(table: PgTable): Shape {
  const known = shapes.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    column,
  }));
  const given = columns.filter(({ column }) => column.getSQLType() !== "bigserial");
  const list = given.map(({ name }) => `"${name}"`).join(", ");
  const { name: tableName } = getTableConfig(table);
  const shape = {
    columns,
    names: new Map(given.map(({ key, name }) => [key, name])),
    insert: `insert into "${tableName}" (${list}) select ${list} from json_populate_recordset(null::"${tableName}", `,
  };
  shapes.set(table, shape);
  return shape;
}

/** A row as JSON can hold it, under other names where some are given. */
function written(row: object, names?: ReadonlyMap<string, string>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row) as [string, unknown][]) {
    const name = names ? names.get(key) : key;
    if (name === undefined) continue;
    record[name] = typeof value === "bigint" ? value.toString() : value;
  }
  return record;
}
