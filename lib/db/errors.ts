import "server-only";

/** The SQLSTATE or socket error code behind a thrown value, or null. */
export function databaseErrorCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") return current.code;
  }
  return null;
}

/**
 * Deadlock and serialization failures, and money that was gone when it was to be moved: the
 * transaction did nothing and may run again.
 */
export function isTransient(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === "40P01" || code === "40001" || (code === "23514" && isOverdrawn(error));
}

function isOverdrawn(error: unknown): boolean {
  return error instanceof Error && error.message.includes("ledger_accounts_not_negative");
}

/**
 * The wait for a lock took longer than the connection's `lock_timeout`, or a statement that waits
 * for several took longer than its `statement_timeout`. Its transaction did nothing: also a commit
 * that the server refuses is none.
 */
export function isWaitTooLong(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === "55P03" || code === "57014";
}

const SOCKET_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
]);
const LOST_CONNECTION =
  /timeout exceeded when trying to connect|connection terminated|is not queryable|pglite is closed/i;

/** Whether the database is away, starting, stopping, full or held up, rather than our statement wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // A transaction starts over by itself; a statement alone meets these while a migration runs.
  if (isWaitTooLong(error) || isTransient(error)) return true;
  const code = databaseErrorCode(error);
  // Classes: 08 connection, 53 resources (disk full, too many connections), 57P operator action.
  // 25P03 ends a connection whose transaction stood still for too long.
  if (code !== null && (/^(08|53|57P|25P03)/.test(code) || SOCKET_ERRORS.has(code))) return true;
  for (let current = error; current instanceof Error; current = current.cause) {
    if (LOST_CONNECTION.test(current.message)) return true;
  }
  return false;
}

/** A row with the same unique value is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorCode(error) === "23505";
}
