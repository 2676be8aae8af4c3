import "server-only";
import { callbackify } from "node:util";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { ClientBase } from "pg";
import type { Tx } from "@/lib/db/database";
import { quietly } from "@/lib/db/query-error";
import { type Answer, type Statement, statementOf, Traveler, wire } from "@/lib/db/traveler";

/** The connections of a server, by which their transactions are known. */
const travelers = new WeakMap<object, Traveler>();
const dialect = new PgDialect();

/**
 * Makes a connection take the beginning of a transaction along with the first statement in it, and
 * prepare what it runs again and again.
 */
export function travelOn(client: ClientBase): void {
  const original: unknown = Reflect.get(client, "query");
  if (typeof original !== "function") throw new Error("a pg client has no query method");
  const send = (...args: unknown[]): unknown => Reflect.apply(original, client, args);
  const traveler = new Traveler(send);
  const query = (config: unknown, ...rest: unknown[]): unknown => {
    const statement = statementOf(config, rest[0]);
    if (!statement) {
      traveler.depart();
      return send(config, ...rest);
    }
    const callback = rest.find((value) => typeof value === "function");
    if (!callback) return traveler.run(statement);
    const call = callbackify(() => traveler.run(statement));
    return call((error, answer) => Reflect.apply(callback, undefined, [error, answer]));
  };
  Object.defineProperty(client, "query", { value: query });
  travelers.set(client, traveler);
}

/**
 * Runs statements of a transaction in one round trip and returns the rows of each. Each sees what
 * those before it did, and what others committed until it began.
 */
export async function selectTogether(tx: Tx, statements: readonly SQL[]): Promise<unknown[][]> {
  const traveler = travelerOf(tx);
  if (!traveler) {
    const found: unknown[][] = [];
    for (const statement of statements) found.push(rowsOf(await tx.execute(statement)));
    return found;
  }
  const answers = await quietly(() => traveler.runAll(statements.map(toStatement)));
  return answers.map(({ rows }) => rows);
}

/**
 * Leaves a statement to be run with the transaction's next one, at the latest with its commit. When
 * it fails, that one fails with it.
 */
export async function runLater(tx: Tx, statement: SQL): Promise<void> {
  const traveler = travelerOf(tx);
  if (traveler) traveler.leave(toStatement(statement));
  else await tx.execute(statement);
}

/** The connection of an open transaction; null where statements do not travel. */
function travelerOf(tx: Tx): Traveler | null {
  const session: unknown = Reflect.get(tx, "session");
  const client: unknown =
    typeof session === "object" && session !== null && Reflect.get(session, "client");
  return (typeof client === "object" && client !== null && travelers.get(client)) || null;
}

function toStatement(query: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const values = wire(params);
  if (!values) throw new Error("a value of a statement is text, a number, an instant or null");
  return { text, values, isArray: false };
}

function rowsOf(result: unknown): unknown[] {
  return (result as Pick<Answer, "rows">).rows;
}
