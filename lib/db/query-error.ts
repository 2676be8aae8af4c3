import "server-only";
import { PgPreparedQuery } from "drizzle-orm/pg-core";

/** SQLSTATE classes whose message names tables and constraints, never a value. */
const SAFE_STATES = /^(08|23|25|40|42|53|55|57|58)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** A failed statement: its reason, without the SQL, its parameters or the row. */
class QueryError extends Error {
  override readonly name = "QueryError";

  constructor(
    message: string,
    /** SQLSTATE, or the code of a broken connection. */
    readonly code: string | null,
    /** The table whose row or index entry the statement waited for, if Postgres reports it. */
    readonly waitedFor: string | null,
  ) {
    super(message);
  }
}

/** The method of drizzle-orm that every statement goes through. */
const METHOD = "queryWithCache";
const PATCHED = Symbol.for("ante.safe-query-errors");

/**
 * Patches drizzle-orm so that failed statements throw QueryError. The errors of drizzle and the
 * drivers contain the SQL and its parameters, which Next would print for an uncaught error. drizzle has
 * no option for it yet: https://github.com/drizzle-team/drizzle-orm/issues/5939
 */
export function hideQueryValues(): void {
  const prototype = PgPreparedQuery.prototype;
  if (PATCHED in prototype) return;
  const original: unknown = Reflect.get(prototype, METHOD);
  if (typeof original !== "function") throw new Error(`drizzle-orm no longer has ${METHOD}`);
  const patched = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return withSafeErrors(() => Reflect.apply(original, this, args));
  };
  Object.defineProperties(prototype, { [METHOD]: { value: patched }, [PATCHED]: { value: true } });
}

/** Runs a query and converts its errors to QueryError. */
export async function withSafeErrors<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    throw toQueryError(error);
  }
}

function toQueryError(thrown: unknown): QueryError {
  const driver = thrown instanceof Error && thrown.cause ? thrown.cause : thrown;
  const code =
    driver instanceof Error && "code" in driver && typeof driver.code === "string"
      ? driver.code
      : null;
  return new QueryError(
    `a query failed: ${toSafeMessage(driver, code)}`,
    code,
    readWaitedFor(driver),
  );
}

/** Reads the table from, for example, `while inserting index tuple (0,1) in relation "orders"`. */
function readWaitedFor(driver: unknown): string | null {
  if (!(driver instanceof Error) || !("where" in driver)) return null;
  const { where } = driver;
  if (typeof where !== "string") return null;
  return /tuple \(\d+,\d+\) in relation "(\w+)"/.exec(where)?.[1] ?? null;
}

function toSafeMessage(driver: unknown, code: string | null): string {
  if (!(driver instanceof Error)) return "no reason given";
  const mayHoldValue = code !== null && SQLSTATE.test(code) && !SAFE_STATES.test(code);
  return mayHoldValue ? `SQLSTATE ${code}` : driver.message;
}
