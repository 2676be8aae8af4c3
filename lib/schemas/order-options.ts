import { AppError } from "@/lib/errors";
import { PlaceOrderBody } from "@/lib/schemas/orders";

/** Order options of other exchanges that would change an order, and what to use here instead. */
const UNSUPPORTED: readonly { names: readonly string[]; instead: string }[] = [
  {
    names: ["reduceOnly", "closeOnly", "closePosition"],
    instead: "is not supported; a SELL can never sell more than the shares you hold",
  },
  {
    names: ["dryRun", "test", "testOrder", "validateOnly", "simulate", "simulated", "preview"],
    instead: "is not supported; send the order to POST /v1/orders/preview",
  },
  {
    names: [
      "expiration",
      "expirationTime",
      "expirationDate",
      "expiry",
      "expiryTime",
      "expires",
      "expiresIn",
      "expireAt",
      "expireTime",
      "expireDate",
      "goodTillDate",
      "goodTilDate",
      "goodTillTime",
      "goodTilTime",
      "gtdTime",
      "cancelAfter",
      "validUntil",
      "ttl",
    ],
    instead: "is not supported; use timeInForce GTD and expiresAt",
  },
  {
    names: ["tif", "orderTimeInForce", "duration", "execInst", "executionType"],
    instead: "is not supported; use timeInForce",
  },
  {
    names: ["ioc", "immediateOrCancel", "fak", "fillAndKill"],
    instead: "is not supported; use timeInForce FAK",
  },
  {
    names: [
      "fok",
      "fillOrKill",
      "aon",
      "allOrNone",
      "minQuantity",
      "minQty",
      "minShares",
      "minFill",
    ],
    instead: "is not supported; use timeInForce FOK",
  },
  { names: ["makerOnly", "postOnlyMode"], instead: "is not supported; use postOnly" },
  {
    names: [
      "clientOrderId",
      "newClientOrderId",
      "clientOid",
      "clOrdId",
      "clOrdLinkId",
      "orderLinkId",
      "clientId",
      "externalId",
      "idempotency",
      "requestId",
    ],
    instead: "is not supported; use idempotencyKey",
  },
  {
    names: [
      "stopPrice",
      "stop",
      "stopLoss",
      "stopLossPrice",
      "takeProfit",
      "takeProfitPrice",
      "triggerPrice",
      "trigger",
      "activationPrice",
      "trailingStop",
      "trailingDelta",
      "trailingPercent",
      "trailAmount",
      "trailPercent",
      "trailPrice",
      "bracket",
      "oco",
    ],
    instead: "is not supported; orders act at once, so place the order when the price is reached",
  },
  {
    names: [
      "limitPrice",
      "maxPrice",
      "minPrice",
      "worstPrice",
      "slippage",
      "maxSlippage",
      "slippageTolerance",
    ],
    instead: "is not supported; use price, the limit or the worst acceptable price",
  },
  {
    names: ["quantity", "qty", "size", "quoteOrderQty", "notional", "funds"],
    instead: "is not supported; use shares, or amount in USDC",
  },
  {
    names: [
      "displayQty",
      "displayQuantity",
      "displaySize",
      "icebergQty",
      "iceberg",
      "visibleSize",
      "hidden",
    ],
    instead: "is not supported; the whole order is shown on the book",
  },
  {
    names: [
      "leverage",
      "margin",
      "marginMode",
      "marginType",
      "isIsolated",
      "crossMargin",
      "borrow",
    ],
    instead: "is not supported; every order is fully paid",
  },
  {
    names: ["selfTradePrevention", "selfTradePreventionMode", "stp", "stpMode"],
    instead: "is not supported; an order never trades with your own: the resting one is canceled",
  },
];

/** Ignores case, hyphens and underscores. */
const normalize = (name: string) => name.replaceAll(/[-_\s]/g, "").toLowerCase();

const FIELDS = Object.keys(PlaceOrderBody.shape);
const PROBLEMS = new Map([
  ...UNSUPPORTED.flatMap(({ names, instead }) =>
    names.map((name): [string, string] => [normalize(name), instead]),
  ),
  ...FIELDS.map((field): [string, string] => [normalize(field), `is spelled ${field}`]),
]);

const UNSUPPORTED_OPTIONS = UNSUPPORTED.flatMap(({ names }) => names);

/**
 * Throws VALIDATION_ERROR for properties that would be dangerous to ignore: an unsupported order option,
 * or a known field in another spelling. Other unknown properties are ignored.
 */
export function refuseUnsupportedOptions(body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return;
  for (const name of Object.keys(body)) {
    const problem = FIELDS.includes(name) ? undefined : PROBLEMS.get(normalize(name));
    if (problem !== undefined) throw new AppError("VALIDATION_ERROR", `${name}: ${problem}`);
  }
}

/** Options that change an order or prevent a duplicate, so they must not be ignored. */
const OPTIONS = new Set(
  [...UNSUPPORTED_OPTIONS, "timeInForce", "expiresAt", "postOnly", "idempotencyKey"].map(normalize),
);

/** Throws VALIDATION_ERROR for order options in the query, which no operation reads. */
export function refuseOptionsInQuery(query: Readonly<Record<string, string>>): void {
  const name = Object.keys(query).find((candidate) => OPTIONS.has(normalize(candidate)));
  if (name === undefined) return;
  throw new AppError(
    "VALIDATION_ERROR",
    `${name}: must be in the body; this operation reads no query parameters`,
  );
}
