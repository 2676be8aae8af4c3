/** How long an order may stay open. */
export const TIMES_IN_FORCE = ["GTC", "GTD", "FOK", "FAK"] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** Polymarket takes a GTD order only if it stays open for two minutes (polymarket.md 5.4). */
const VENUE_MIN_LIFE_MS = 120_000;
/** Time reserved for signing and posting the order. */
const POSTING_MARGIN_MS = 5_000;
/** Minimum time until the expiry of a new order on Polymarket. */
export const POLYMARKET_MIN_LIFE_MS = VENUE_MIN_LIFE_MS + POSTING_MARGIN_MS;

/** Returns GTC for a limit order, and FAK for a market order. */
export function defaultTimeInForce(orderType: "market" | "limit"): TimeInForce {
  return orderType === "limit" ? "GTC" : "FAK";
}

/** Whether an order ends immediately and can't rest on the book. */
export function endsAtOnce(timeInForce: TimeInForce): boolean {
  return timeInForce === "FOK" || timeInForce === "FAK";
}

interface StoredOrder {
  type: "market" | "limit";
  requestedType: "market" | "limit" | null;
  isFillOrKill: boolean;
  expiresAt: Date | null;
}

/** Returns the time in force of a stored order. Only an order of type `limit` can rest. */
export function getTimeInForce({ type, isFillOrKill, expiresAt }: StoredOrder): TimeInForce {
  if (type === "limit") return expiresAt === null ? "GTC" : "GTD";
  return isFillOrKill ? "FOK" : "FAK";
}

/** Returns the order type of the request. */
export function getRequestedType({ type, requestedType }: StoredOrder): "market" | "limit" {
  return requestedType ?? type;
}
