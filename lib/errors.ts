/** Every error code of the API, with its HTTP status. */
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
  TRADING_FROZEN: 400,
  SESSION_KEY_EXPIRED: 400,
  ORDER_NOT_CANCELABLE: 400,
  MISSING_API_KEY: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  INSUFFICIENT_SCOPE: 401,
  ADDRESS_NOT_ALLOWED: 401,
  ACCOUNT_DISABLED: 401,
  SESSION_ENDED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  ROUTE_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  MARKET_NOT_FOUND: 404,
  WALLET_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
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
  INTERNAL_ERROR: 502,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

interface AppErrorOptions {
  /** Response headers that the caller needs to handle the error, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** The form field that the error belongs to. */
  field?: string;
  cause?: unknown;
}

/**
 * Marks every AppError. Next and the server are separate bundles with a copy of the class each, and
 * share the loads of caches.
 */
const APP_ERROR = Symbol.for("ante.app-error");

/** An error that is returned to the caller: a stable code, and a message in the caller's units. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly [APP_ERROR] = true;
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

  /** Recognizes an AppError of another bundle by its mark. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass inherits this method, and its instances have a prototype of their own.
    if (this !== AppError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && APP_ERROR in value;
  }
}

/** The request was executed, and the connection is to be dropped instead of a response. */
export class LostResponse extends Error {
  override readonly name = "LostResponse";
}

/** Checks an invariant. A failure is a bug of Ante, and the API returns it as INTERNAL_ERROR. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${invariant}`);
}
