/** Every error code a caller can meet, with the HTTP status it is answered with. */
export const ERROR_STATUS = {
  INVALID_JSON: 400,
  VALIDATION_ERROR: 400,
  MALFORMED_URL: 400,
  UNSUPPORTED_MEDIA_TYPE: 400,
  PAYLOAD_TOO_LARGE: 400,
  INVALID_CURSOR: 400,
  IDEMPOTENCY_KEY_REUSED: 400,
  ORDER_ABANDONED: 400,
  PRICE_REQUIRED: 400,
  AMOUNT_OR_SHARES_REQUIRED: 400,
  CONFLICTING_FIELDS: 400,
  INVALID_TICK_SIZE: 400,
  PRICE_OFF_TICK: 400,
  ORDER_TOO_SMALL: 400,
  PRECISION_TOO_HIGH: 400,
  INSUFFICIENT_BALANCE: 400,
  INSUFFICIENT_SHARES: 400,
  INSUFFICIENT_ALLOWANCE: 400,
  MARKET_CLOSED: 400,
  NO_LIQUIDITY: 400,
  ORDER_NOT_FILLED: 400,
  ORDER_REJECTED: 400,
  TRADING_RESTRICTED: 400,
  RISK_LIMIT_EXCEEDED: 400,
  ORDER_NOT_CANCELABLE: 400,
  MISSING_API_KEY: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  INSUFFICIENT_SCOPE: 401,
  ACCOUNT_DISABLED: 401,
  SESSION_ENDED: 401,
  ROUTE_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  MARKET_NOT_FOUND: 404,
  WALLET_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMITED: 429,
  ORDER_OUTCOME_UNKNOWN: 502,
  ORDER_IN_PROGRESS: 502,
  CANCEL_OUTCOME_UNKNOWN: 502,
  UPSTREAM_ERROR: 502,
  UPSTREAM_TIMEOUT: 502,
  UPSTREAM_UNAVAILABLE: 502,
  UPSTREAM_RATE_LIMITED: 502,
  UPSTREAM_AUTH_FAILED: 502,
  UPSTREAM_BAD_RESPONSE: 502,
  TRADING_PAUSED: 502,
  DATABASE_UNAVAILABLE: 502,
  SIGNER_UNAVAILABLE: 502,
  SERVICE_DRAINING: 502,
  INTERNAL_ERROR: 502,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

interface AppErrorOptions {
  /** Response headers the caller needs to act on the error, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** The form field the error is about, for callers that show it there. */
  field?: string;
  cause?: unknown;
}

/** An error the caller may see: a stable code and a message in the caller's own units. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly field: string | null;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
    this.field = options.field ?? null;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The work was done and its answer is to be lost on the way: a rehearsed failure. */
export class LostAnswer extends Error {
  override readonly name = "LostAnswer";
}

/** Guards an invariant. A failure is our bug, never the caller's: it is answered as internal. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${invariant}`);
}
