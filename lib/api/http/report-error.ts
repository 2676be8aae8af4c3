import "server-only";
import { isDatabaseUnavailable } from "@/lib/db/errors";
import { AppError } from "@/lib/errors";
import { errorFields, log, type LogFields } from "@/lib/log";

/**
 * Returns the error for the caller and notes its code in the log fields. An unexpected error is logged
 * and becomes a 502 without its details.
 *
 * @param advice what the caller can do while the database is not reachable.
 */
export function reportError(error: unknown, fields: LogFields, advice = "Try again."): AppError {
  if (error instanceof AppError) {
    fields.code = error.code;
    return error;
  }
  const code = isDatabaseUnavailable(error) ? "DATABASE_UNAVAILABLE" : "INTERNAL_ERROR";
  fields.code = code;
  log.error("request failed", { ...fields, ...errorFields(error) });
  const message =
    code === "DATABASE_UNAVAILABLE"
      ? `The database is not reachable. ${advice}`
      : `Something went wrong on our side. The request id is ${fields.requestId}.`;
  return new AppError(code, message);
}
