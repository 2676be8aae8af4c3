import type { ErrorCode } from "@/lib/errors";

/** The meaning, cause and remedy of an error code, in one line each. */
export interface ErrorAdvice {
  meaning: string;
  cause: string;
  /** Whether a client can send the same request again, and what to change first. */
  retry: string;
}

const FIX_FIRST = "No. Fix the request first.";
const SAME_KEY = "Yes, with the same idempotencyKey. The order is placed at most once.";
const LATER = "Yes, after a short wait. Resend orders with the same idempotencyKey.";
const NEW_KEY = "No. Use a valid key.";

/** The one explanation of every error code: for the reference, the request log and the forms. */
export const ERROR_GUIDE = {
  INVALID_JSON: {
    meaning: "The body isn't valid JSON.",
    cause: "A missing brace, a trailing comma, bytes that aren't UTF-8, or an empty body.",
    retry: FIX_FIRST,
  },
  VALIDATION_ERROR: {
    meaning: "A field is missing or has the wrong format.",
    cause: "The message names the field and the rule.",
    retry: FIX_FIRST,
  },
  MALFORMED_URL: {
    meaning: "The URL can't be parsed.",
    cause: "A % without two hexadecimal digits after it, or bytes that aren't UTF-8.",
    retry: FIX_FIRST,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body wasn't sent as JSON.",
    cause: "The Content-Type header isn't application/json, or the body is compressed.",
    retry: FIX_FIRST,
  },
  PAYLOAD_TOO_LARGE: {
    meaning: "The body is too large.",
    cause: "The limit is 16 KiB.",
    retry: FIX_FIRST,
  },
  INVALID_CURSOR: {
    meaning: "The nextCursor doesn't belong to this list.",
    cause: "It was changed, truncated or comes from another list.",
    retry: "Start again without a cursor.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: "This idempotencyKey was already used for a different order.",
    cause:
      "The key was sent before with other fields. The message names the first field that differs.",
    retry: "With a new key, if you want a second order. The first order isn't affected.",
  },
  ORDER_ABANDONED: {
    meaning: "The order never reached the exchange and was abandoned.",
    cause:
      "The outcome was unknown, and the exchange had no record of the order within the time limit.",
    retry: "With a new idempotencyKey. Its reserved funds are released.",
  },
  PRICE_REQUIRED: {
    meaning: "A limit order needs a price.",
    cause: "orderType is limit, but price is missing.",
    retry: FIX_FIRST,
  },
  AMOUNT_OR_SHARES_REQUIRED: {
    meaning: "The order has no size.",
    cause: "Both amount and shares are missing. A sell needs shares.",
    retry: FIX_FIRST,
  },
  CONFLICTING_FIELDS: {
    meaning: "Two fields conflict.",
    cause: "amount and shares together, or amount on a sell.",
    retry: FIX_FIRST,
  },
  INVALID_TICK_SIZE: {
    meaning: "The tickSize doesn't match the market.",
    cause: "The market's tick changed, or you assumed one. The message names the current tick.",
    retry: "With the current tickSize, or without one.",
  },
  PRICE_OFF_TICK: {
    meaning: "The price isn't a multiple of the market's tick.",
    cause: "The message names the two closest valid prices.",
    retry: "With one of those prices.",
  },
  ORDER_TOO_SMALL: {
    meaning: "The order is below the market's minimum size.",
    cause: "Too few shares, or too small an amount. The message names the minimum.",
    retry: FIX_FIRST,
  },
  PRECISION_TOO_HIGH: {
    meaning: "A number has too many decimals.",
    cause: "Amounts can have up to 6 decimals, shares up to 2.",
    retry: FIX_FIRST,
  },
  INSUFFICIENT_BALANCE: {
    meaning: "You don't have enough USDC for this order.",
    cause:
      "The order needs more than your available balance. Open buys reserve the rest. The message has the amounts.",
    retry:
      "After you add funds, with a new idempotencyKey. The old key keeps returning this response.",
  },
  INSUFFICIENT_SHARES: {
    meaning: "You don't have enough shares to sell.",
    cause: "You hold fewer shares, or open sells reserve them. The message has the numbers.",
    retry: "With fewer shares and a new idempotencyKey.",
  },
  INSUFFICIENT_ALLOWANCE: {
    meaning: "The exchange can't spend that much of the wallet's USDC.",
    cause: "The wallet's allowance is lower than the order needs.",
    retry: "After you raise the allowance, with a new idempotencyKey.",
  },
  MARKET_CLOSED: {
    meaning: "The market isn't accepting orders.",
    cause: "It's closed, resolved or paused by the exchange.",
    retry: "No, unless the market reopens.",
  },
  NO_LIQUIDITY: {
    meaning: "Nothing can fill at an acceptable price.",
    cause: "The book is empty, or its best price is beyond the order's limit.",
    retry: "Later or at another price, with a new idempotencyKey.",
  },
  ORDER_NOT_FILLED: {
    meaning: "The order couldn't be filled and was rejected.",
    cause: "The book changed before the order reached it.",
    retry: "Later or at another price, with a new idempotencyKey.",
  },
  ORDER_REJECTED: {
    meaning: "The exchange rejected the request.",
    cause: "It broke one of the exchange's rules. The message says which.",
    retry: "After you fix the cause, with a new idempotencyKey.",
  },
  TRADING_RESTRICTED: {
    meaning: "This account can't trade there.",
    cause: "A restriction on the location, the account or the market.",
    retry: "No.",
  },
  RISK_LIMIT_EXCEEDED: {
    meaning: "The order exceeds a limit.",
    cause:
      "A limit of the API key, the account or the user, which the message names; or the account already has 1,000 open orders in this market.",
    retry: "When the message says that more is available, with a new idempotencyKey.",
  },
  TRADING_FROZEN: {
    meaning: "The API key, the account or the user is frozen.",
    cause:
      "Its owner, the key itself or the operator froze it. The message says since when and why.",
    retry: "After the owner has thawed it in the dashboard, with a new idempotencyKey.",
  },
  SESSION_KEY_EXPIRED: {
    meaning: "The session key of the live wallet has expired.",
    cause: "Its owner authorized it on Polymarket until the time in the message.",
    retry: "After a new session key was imported on the wallet page, with the same body.",
  },
  ORDER_NOT_CANCELABLE: {
    meaning: "The order has ended and can't be canceled.",
    cause: "It was filled, expired or rejected before the cancel arrived.",
    retry: "No. The order record shows how it ended.",
  },
  MISSING_API_KEY: {
    meaning: "The request has no API key.",
    cause: "The Authorization: Bearer … header is missing, empty or sent twice.",
    retry: "With the header.",
  },
  INVALID_API_KEY: {
    meaning: "The API key doesn't exist.",
    cause: "A typo, a truncated key, or a key from another service.",
    retry: NEW_KEY,
  },
  API_KEY_EXPIRED: {
    meaning: "The API key has expired.",
    cause: "Its expiry date has passed, or the overlap after a rotation has ended.",
    retry: NEW_KEY,
  },
  API_KEY_REVOKED: {
    meaning: "The API key was revoked.",
    cause: "Someone with access to this account revoked it.",
    retry: NEW_KEY,
  },
  INSUFFICIENT_SCOPE: {
    meaning: "The API key doesn't have permission.",
    cause: "It lacks the scope that the operation needs: read, trade or cancel.",
    retry: "With a key that has the scope.",
  },
  ADDRESS_NOT_ALLOWED: {
    meaning: "The API key may not be used from this address.",
    cause: "The request's IP address is not in the key's limit ipAllow.",
    retry: "From an address that the limit includes.",
  },
  ACCOUNT_DISABLED: {
    meaning: "The account is disabled.",
    cause: "The operator disabled it.",
    retry: "No, unless the operator enables it again.",
  },
  SESSION_ENDED: {
    meaning: "The dashboard session has ended.",
    cause: "You signed out, the session was idle for too long, or the password changed.",
    retry: "After you sign in again.",
  },
  SECOND_FACTOR_REQUIRED: {
    meaning: "The dashboard needs your second factor first.",
    cause: "The change needs a second factor that was proven in the last 5 minutes.",
    retry: "After you confirm with a passkey or a code.",
  },
  ROUTE_NOT_FOUND: {
    meaning: "The path doesn't exist.",
    cause: "A typo, or an extra slash.",
    retry: FIX_FIRST,
  },
  ORDER_NOT_FOUND: {
    meaning: "The order doesn't exist.",
    cause: "The id is wrong, or the order belongs to another account.",
    retry: FIX_FIRST,
  },
  MARKET_NOT_FOUND: {
    meaning: "The market or outcome doesn't exist.",
    cause: "The id, slug or tokenId is wrong.",
    retry: FIX_FIRST,
  },
  WALLET_NOT_FOUND: {
    meaning: "The account has no wallet.",
    cause: "It was created without one, or its wallet isn't set up yet.",
    retry: "After you set up the wallet.",
  },
  WEBHOOK_NOT_FOUND: {
    meaning: "The account has no such webhook endpoint or delivery.",
    cause: "The id is wrong, it was deleted, or it belongs to another account.",
    retry: FIX_FIRST,
  },
  TRANSACTION_NOT_FOUND: {
    meaning: "The account has no such wallet transaction.",
    cause: "The id is wrong, or it belongs to another account.",
    retry: FIX_FIRST,
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path doesn't support this method.",
    cause: "The Allow header of the response lists the supported methods.",
    retry: FIX_FIRST,
  },
  RATE_LIMITED: {
    meaning: "Too many requests.",
    cause: "The API key has used up its requests for now.",
    retry: "Yes, after the number of seconds in the Retry-After header. The request had no effect.",
  },
  ORDER_OUTCOME_UNKNOWN: {
    meaning: "We don't know yet whether the order or wallet transaction was accepted.",
    cause: "We sent it, but the response didn't arrive.",
    retry: SAME_KEY,
  },
  ORDER_IN_PROGRESS: {
    meaning: "The same order is already being placed.",
    cause: "Another request with this idempotencyKey is still running.",
    retry: SAME_KEY,
  },
  CANCEL_OUTCOME_UNKNOWN: {
    meaning: "We don't know yet whether the order was canceled.",
    cause:
      "We sent the cancel to the exchange, but its response didn't arrive. The service keeps trying.",
    retry: "Yes. It's safe to cancel twice.",
  },
  UPSTREAM_ERROR: {
    meaning: "The exchange returned an error.",
    cause: "The exchange failed while handling the request.",
    retry: LATER,
  },
  UPSTREAM_TIMEOUT: {
    meaning: "The exchange didn't respond in time.",
    cause: "It's slow or overloaded, or other orders kept the market busy.",
    retry: LATER,
  },
  UPSTREAM_UNAVAILABLE: {
    meaning: "The exchange can't be reached.",
    cause: "The exchange or the network is down. The request had no effect.",
    retry: LATER,
  },
  UPSTREAM_RATE_LIMITED: {
    meaning: "The exchange isn't accepting more requests right now.",
    cause: "The service has used up its request limit at the exchange.",
    retry: LATER,
  },
  UPSTREAM_AUTH_FAILED: {
    meaning: "The exchange rejected the account's credentials.",
    cause: "They were revoked or replaced at the exchange, or this server's clock is wrong.",
    retry: "No, unless the operator renews them.",
  },
  UPSTREAM_BAD_RESPONSE: {
    meaning: "The exchange returned an invalid response.",
    cause: "The response doesn't match the exchange's documentation.",
    retry: LATER,
  },
  TRADING_PAUSED: {
    meaning: "Trading is paused.",
    cause: "The operator paused it, or the key's exchange isn't enabled on this server.",
    retry: LATER,
  },
  DATABASE_UNAVAILABLE: {
    meaning: "The service's database isn't responding.",
    cause: "It's restarting or overloaded.",
    retry: LATER,
  },
  SIGNER_UNAVAILABLE: {
    meaning: "Orders can't be signed right now.",
    cause: "The service that holds the signing keys isn't responding. Nothing was sent.",
    retry: LATER,
  },
  INTERNAL_ERROR: {
    meaning: "Something went wrong on our side.",
    cause: "An error in the service. Use the request id to find it in the log.",
    retry: LATER,
  },
} as const satisfies Record<ErrorCode, ErrorAdvice>;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_GUIDE, code);
