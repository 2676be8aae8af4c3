import type { ErrorCode } from "@/lib/errors";

/** What an error code tells a caller, in one line each. */
export interface ErrorAdvice {
  meaning: string;
  cause: string;
  /** Whether the same request may be sent again, and what to change first. */
  retry: string;
}

const FIX_FIRST = "Not as it is: correct the request first. Nothing was done.";
const SAME_KEY = "Yes, with the same idempotencyKey: it is placed at most once.";
const LATER = "Yes, after a pause; send orders again with the same idempotencyKey.";
const NEW_KEY = "Not with this key: use one that is valid.";

/** The one explanation of every error code: for the reference, the request log and the forms. */
export const ERROR_GUIDE = {
  INVALID_JSON: {
    meaning: "The body is not JSON.",
    cause: "A missing brace, a trailing comma, bytes that are not UTF-8, or an empty body.",
    retry: FIX_FIRST,
  },
  VALIDATION_ERROR: {
    meaning: "A field is missing or does not have the form it must have.",
    cause: "The message names the field and the rule.",
    retry: FIX_FIRST,
  },
  MALFORMED_URL: {
    meaning: "The address cannot be read.",
    cause: "A % that is not followed by two hexadecimal digits, or bytes that are not UTF-8.",
    retry: FIX_FIRST,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body was sent as something else than JSON.",
    cause: "The header Content-Type is not application/json, or the body is compressed.",
    retry: FIX_FIRST,
  },
  PAYLOAD_TOO_LARGE: {
    meaning: "The body is too large.",
    cause: "A body may have at most 16 KiB.",
    retry: FIX_FIRST,
  },
  INVALID_CURSOR: {
    meaning: "The nextCursor is not one of this list.",
    cause: "It was changed, cut off, or comes from another list.",
    retry: "Start over without a cursor.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: "This idempotencyKey belongs to another order.",
    cause: "The key was sent before with other fields; the message names the first that differs.",
    retry: "With a new key if a second order is meant. The first order is not affected.",
  },
  ORDER_ABANDONED: {
    meaning: "The order never reached the exchange and was given up.",
    cause: "Its outcome was unknown, and it was not found for as long as the service looks for it.",
    retry: "With a new idempotencyKey. What it reserved is available again.",
  },
  PRICE_REQUIRED: {
    meaning: "A limit order needs a price.",
    cause: "orderType is limit and price is missing.",
    retry: FIX_FIRST,
  },
  AMOUNT_OR_SHARES_REQUIRED: {
    meaning: "The size of the order is missing.",
    cause: "Neither amount nor shares was given; a sell needs shares.",
    retry: FIX_FIRST,
  },
  CONFLICTING_FIELDS: {
    meaning: "Two fields say different things.",
    cause: "amount and shares together, or an amount on a sell.",
    retry: FIX_FIRST,
  },
  INVALID_TICK_SIZE: {
    meaning: "The tickSize is not the market's.",
    cause: "The market's tick changed, or the caller assumed one; the message names the right one.",
    retry: "With the right tickSize, or without one.",
  },
  PRICE_OFF_TICK: {
    meaning: "The price is not a multiple of the market's tick.",
    cause: "The message names the two prices next to it.",
    retry: "With one of the two prices.",
  },
  ORDER_TOO_SMALL: {
    meaning: "The order is below the market's smallest size.",
    cause: "Too few shares, or too small an amount; the message names the limit.",
    retry: FIX_FIRST,
  },
  PRECISION_TOO_HIGH: {
    meaning: "A number has too many decimals.",
    cause: "Amounts have at most 6 decimals, shares at most 2.",
    retry: FIX_FIRST,
  },
  INSUFFICIENT_BALANCE: {
    meaning: "There is not enough USDC for this order.",
    cause: "It needs more than is available; open buys reserve the rest. The message has the sums.",
    retry: "Once there is enough, with a new idempotencyKey: this answer stays with its key.",
  },
  INSUFFICIENT_SHARES: {
    meaning: "There are not enough shares to sell.",
    cause: "More than is held, or open sells reserve them. The message has the numbers.",
    retry: "With fewer shares and a new idempotencyKey.",
  },
  INSUFFICIENT_ALLOWANCE: {
    meaning: "The exchange may not use that much of the wallet's USDC.",
    cause: "The wallet's allowance is lower than the order needs.",
    retry: "After raising the allowance, with a new idempotencyKey.",
  },
  MARKET_CLOSED: {
    meaning: "The market takes no orders.",
    cause: "It has closed, was resolved, or is paused by the exchange.",
    retry: "No, unless the market opens again.",
  },
  NO_LIQUIDITY: {
    meaning: "Nothing could be traded at an acceptable price.",
    cause: "The book is empty, or its best price is beyond the order's limit.",
    retry: "Later or with another price, and with a new idempotencyKey.",
  },
  ORDER_NOT_FILLED: {
    meaning: "The order could not be filled and was dropped.",
    cause: "The book changed before the order reached it.",
    retry: "Later or with another price, and with a new idempotencyKey.",
  },
  ORDER_REJECTED: {
    meaning: "The exchange refused it.",
    cause: "One of the exchange's own rules; the message tells which.",
    retry: "Not unless the reason is gone; then with a new idempotencyKey.",
  },
  TRADING_RESTRICTED: {
    meaning: "This account may not trade there.",
    cause: "A restriction of the place, the account or the market.",
    retry: "No.",
  },
  RISK_LIMIT_EXCEEDED: {
    meaning: "The order is beyond a limit of the account.",
    cause: "A limit that the operator has set for one order or for one day.",
    retry: "With a smaller order, or once the limit has room again.",
  },
  ORDER_NOT_CANCELABLE: {
    meaning: "The order has ended and cannot be canceled.",
    cause: "It was filled, expired or was rejected before the cancel arrived.",
    retry: "No. The order's record tells how it ended.",
  },
  MISSING_API_KEY: {
    meaning: "The request carries no API key.",
    cause: "The header Authorization: Bearer … is missing, empty or given twice.",
    retry: "With the header.",
  },
  INVALID_API_KEY: {
    meaning: "There is no such API key.",
    cause: "A typing error, a key that was cut off, or one of another service.",
    retry: NEW_KEY,
  },
  API_KEY_EXPIRED: {
    meaning: "The API key has expired.",
    cause: "Its expiry date has passed, or the overlap after a rotation is over.",
    retry: NEW_KEY,
  },
  API_KEY_REVOKED: {
    meaning: "The API key was revoked.",
    cause: "Somebody of this account ended it.",
    retry: NEW_KEY,
  },
  INSUFFICIENT_SCOPE: {
    meaning: "The API key may not do this.",
    cause: "It lacks the scope the operation needs: read, trade or cancel.",
    retry: "With a key that has the scope.",
  },
  ACCOUNT_DISABLED: {
    meaning: "The account is disabled.",
    cause: "The operator has switched it off.",
    retry: "No, not before the operator has enabled it again.",
  },
  SESSION_ENDED: {
    meaning: "The dashboard's session has ended.",
    cause: "Signed out, too long without use, or the password was changed.",
    retry: "After signing in again.",
  },
  ROUTE_NOT_FOUND: {
    meaning: "There is no such path in this interface.",
    cause: "A typing error, or a slash too many.",
    retry: FIX_FIRST,
  },
  ORDER_NOT_FOUND: {
    meaning: "There is no such order.",
    cause: "The id is wrong, or the order belongs to another account.",
    retry: FIX_FIRST,
  },
  MARKET_NOT_FOUND: {
    meaning: "There is no such market or outcome.",
    cause: "The id, slug or tokenId is wrong.",
    retry: FIX_FIRST,
  },
  WALLET_NOT_FOUND: {
    meaning: "The account has no wallet.",
    cause: "It was made without one, or its wallet is not set up yet.",
    retry: "After the wallet is set up.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path does not know this method.",
    cause: "The header Allow of the answer lists the ones it knows.",
    retry: FIX_FIRST,
  },
  RATE_LIMITED: {
    meaning: "Too many requests.",
    cause: "The API key has used up its requests for this moment.",
    retry: "Yes, after the seconds in the header Retry-After. Nothing was done.",
  },
  ORDER_OUTCOME_UNKNOWN: {
    meaning: "It is not known yet whether the order was placed.",
    cause: "The exchange was asked and its answer did not arrive.",
    retry: SAME_KEY,
  },
  ORDER_IN_PROGRESS: {
    meaning: "The same order is being placed right now.",
    cause: "Another request with this idempotencyKey has not been answered yet.",
    retry: SAME_KEY,
  },
  CANCEL_OUTCOME_UNKNOWN: {
    meaning: "It is not known yet whether the order was canceled.",
    cause: "The exchange was asked and its answer did not arrive. The service keeps trying.",
    retry: "Yes: canceling twice does no harm.",
  },
  UPSTREAM_ERROR: {
    meaning: "The exchange failed.",
    cause: "It answered with an error of its own.",
    retry: LATER,
  },
  UPSTREAM_TIMEOUT: {
    meaning: "The exchange did not answer in time.",
    cause: "It is slow or overloaded.",
    retry: LATER,
  },
  UPSTREAM_UNAVAILABLE: {
    meaning: "The exchange cannot be reached.",
    cause: "It is down, or the network is. Nothing was done.",
    retry: LATER,
  },
  UPSTREAM_RATE_LIMITED: {
    meaning: "The exchange takes no more requests for now.",
    cause: "The service has used up what the exchange allows.",
    retry: LATER,
  },
  UPSTREAM_AUTH_FAILED: {
    meaning: "The exchange does not accept the account's credentials.",
    cause: "They were revoked or replaced there.",
    retry: "Not before the operator has renewed them.",
  },
  UPSTREAM_BAD_RESPONSE: {
    meaning: "The exchange's answer makes no sense.",
    cause: "It is not what the exchange documents.",
    retry: LATER,
  },
  TRADING_PAUSED: {
    meaning: "Trading is paused.",
    cause: "The operator has paused it, or the key's exchange is not switched on here.",
    retry: LATER,
  },
  DATABASE_UNAVAILABLE: {
    meaning: "The service's database does not answer.",
    cause: "It is restarting or overloaded.",
    retry: LATER,
  },
  SIGNER_UNAVAILABLE: {
    meaning: "Orders cannot be signed at the moment.",
    cause: "The place that holds the signing keys does not answer. Nothing was sent.",
    retry: LATER,
  },
  SERVICE_DRAINING: {
    meaning: "The service is shutting down.",
    cause: "It is being restarted or replaced. Nothing was done.",
    retry: LATER,
  },
  INTERNAL_ERROR: {
    meaning: "Something went wrong in the service.",
    cause: "A fault of ours; the request id finds it in the log.",
    retry: LATER,
  },
} as const satisfies Record<ErrorCode, ErrorAdvice>;
