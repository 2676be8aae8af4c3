import type { ErrorCode } from "./types.ts";

/** Every error that the client throws, except those of wrong arguments. Branch on `code`. */
export class AnteError extends Error {
  override readonly name: string = "AnteError";

  constructor(
    readonly code: ErrorCode | ClientCode | (string & {}),
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** Codes of errors that no response names. */
export type ClientCode = "NO_RESPONSE" | "OUTCOME_UNKNOWN" | "INVALID_SIGNATURE" | "OTHER_KEY";

/** The service refused the request: it had no effect, and it will have none. */
export class ApiError extends AnteError {
  override readonly name: string = "ApiError";

  constructor(
    code: ErrorCode | (string & {}),
    message: string,
    readonly status: number,
    /** Quote it when you report a problem. */
    readonly requestId: string | null,
    /** Seconds to wait before the next request, if the response has a Retry-After header. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(code, message);
  }
}

/** The key is missing, invalid, expired or revoked, or lacks the scope. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** A limit of the key, the account or the user, a freeze, or the rate limit. */
export class LimitError extends ApiError {
  override readonly name = "LimitError";
}

/** The service, or a system that it needs, is unavailable. Reads can be repeated. */
export class UnavailableError extends ApiError {
  override readonly name = "UnavailableError";
}

/** No complete response of the service arrived. A write may or may not have been executed. */
export class NoResponseError extends AnteError {
  override readonly name = "NoResponseError";

  constructor(message: string, options: { cause?: unknown } = {}) {
    super("NO_RESPONSE", message, options);
  }
}

/**
 * The time is up, and it is not known whether the write was executed. Repeat it with the same key, for
 * example with `orders.resume()`: it is executed at most once.
 */
export class OutcomeUnknown extends AnteError {
  override readonly name = "OutcomeUnknown";

  constructor(
    readonly idempotencyKey: string,
    readonly attempts: number,
    cause: unknown,
  ) {
    const last = cause instanceof Error ? ` The last attempt: ${cause.message}` : "";
    super(
      "OUTCOME_UNKNOWN",
      `The outcome is not known after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}. Repeat with the same idempotency key, ${idempotencyKey}.${last}`,
      { cause },
    );
  }
}

const LIMIT_CODES = new Set(["RISK_LIMIT_EXCEEDED", "TRADING_FROZEN", "RATE_LIMITED"]);

/** Creates the error of a failure that the service returned. */
export function toApiError(
  status: number,
  { code, message }: { code: string; message: string },
  headers: Headers,
): ApiError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const details = [
    status,
    headers.get("x-request-id"),
    Number.isFinite(seconds) ? seconds : null,
  ] as const;
  if (status === 401) return new AuthenticationError(code, message, ...details);
  if (LIMIT_CODES.has(code)) return new LimitError(code, message, ...details);
  if (status >= 500) return new UnavailableError(code, message, ...details);
  return new ApiError(code, message, ...details);
}
