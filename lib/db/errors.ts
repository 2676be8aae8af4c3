import "server-only";

/** Finds the SQLSTATE or socket error code in a thrown value and its causes; null if there is none. */
export function findErrorCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") return current.code;
  }
  return null;
}

/**
 * Returns whether a transaction can be repeated: it failed with a deadlock or a serialization
 * failure, or a concurrent one spent the money first. It changed nothing.
 */
export function isTransient(error: unknown): boolean {
  return isSerializationFailure(error) || isOverdrawn(error);
}

/** Returns whether it failed with a deadlock or a serialization failure, so that it changed nothing. */
export function isSerializationFailure(error: unknown): boolean {
  const code = findErrorCode(error);
  return code === "40P01" || code === "40001";
}

/** Returns whether a concurrent transaction spent the money first. */
export function isOverdrawn(error: unknown): boolean {
  if (findErrorCode(error) !== "23514" || !(error instanceof Error)) return false;
  return error.message.includes("ledger_accounts_not_negative");
}

/**
 * Returns whether a wait for a lock exceeded `lock_timeout`, or a statement that waits for several
 * locks exceeded `statement_timeout`. The transaction changed nothing, even if the statement was its
 * commit.
 */
export function isLockTimeout(error: unknown): boolean {
  const code = findErrorCode(error);
  return code === "55P03" || code === "57014";
}

/** Returns whether that wait was for another transaction's claim on the same idempotency key. */
export function isClaimTimeout(error: unknown): boolean {
  if (!isLockTimeout(error)) return false;
  // Not `instanceof`: Next bundles this module several times, so the class can be another one.
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("waitedFor" in current) return current.waitedFor === "idempotency_keys";
  }
  return false;
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

/** Returns whether the database is down, starting, stopping, read-only, full or blocked, so a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // withTransaction repeats transient failures; single statements meet them during a migration.
  if (isLockTimeout(error) || isTransient(error)) return true;
  const code = findErrorCode(error);
  // Classes: 08 connection, 53 resources (disk full, too many connections), 57P operator action.
  // 25006: the server is a standby. 25P03: the transaction was idle for too long.
  if (code !== null && (/^(08|53|57P|25006|25P03)/.test(code) || SOCKET_ERRORS.has(code)))
    return true;
  for (let current = error; current instanceof Error; current = current.cause) {
    if (LOST_CONNECTION.test(current.message)) return true;
  }
  return false;
}

/** Returns whether a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return findErrorCode(error) === "23505";
}
