import "server-only";
import { PgPreparedQuery } from "drizzle-orm/pg-core";

/** SQLSTATE classes whose message names our own tables and rules, never a value. */
const TELLS_NO_VALUE = /^(08|23|25|40|42|53|55|57|58)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** A statement that failed: how it failed, without its text, its parameters or the row it met. */
class QueryError extends Error {
  override readonly name = "QueryError";

  constructor(
    message: string,
    /** SQLSTATE, or the code of a broken connection. */
    readonly code: string | null,
  ) {
    super(message);
  }
}

/** The one method of the library that every statement of every connection goes through. */
const METHOD = "queryWithCache";
const QUIET = Symbol.for("ante.quiet-queries");

/**
 * Replaces what failed statements throw. The library's own error and the drivers' hold the SQL and
 * its parameters, and whatever prints an error that nobody caught (Next does) would print them.
 */
export function quietQueryErrors(): void {
  const prototype = PgPreparedQuery.prototype;
  if (QUIET in prototype) return;
  const original: unknown = Reflect.get(prototype, METHOD);
  if (typeof original !== "function") throw new Error(`drizzle-orm has no ${METHOD} any more`);
  const quiet = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return quietly(() => Reflect.apply(original, this, args));
  };
  Object.defineProperties(prototype, { [METHOD]: { value: quiet }, [QUIET]: { value: true } });
}

/** Runs what asks a database, and replaces what that throws. */
export async function quietly<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw withoutValues(error);
  }
}

function withoutValues(thrown: unknown): QueryError {
  const driver = thrown instanceof Error && thrown.cause ? thrown.cause : thrown;
  const code =
    driver instanceof Error && "code" in driver && typeof driver.code === "string"
      ? driver.code
      : null;
  return new QueryError(`a query failed: ${messageOf(driver, code)}`, code);
}

function messageOf(driver: unknown, code: string | null): string {
  if (!(driver instanceof Error)) return "no reason given";
  const mayHoldValue = code !== null && SQLSTATE.test(code) && !TELLS_NO_VALUE.test(code);
  return mayHoldValue ? `SQLSTATE ${code}` : driver.message;
}
