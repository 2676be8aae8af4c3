import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { checkFields, resolveTimeInForce, toIntent } from "@/lib/domain/order-intent";
import { POLYMARKET_MIN_LIFE_MS } from "@/lib/domain/time-in-force";
import { AppError } from "@/lib/errors";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { OrderConditions, OrderSubmission, Venue, SimulatedFault } from "@/lib/venue/port";

const LAST_EXPIRY = Date.UTC(9998, 11, 31);

interface Preparation {
  principal: Principal;
  body: PlaceOrderBody;
  orderId: string;
  idempotencyKey: string;
  simulatedFault: SimulatedFault;
}

/**
 * Checks everything about an order that depends on neither the account nor the book. An error thrown
 * here does not use up the idempotency key: the caller can correct the order and send the key again.
 */
export async function prepareOrder(
  venue: Venue,
  { principal, body, orderId, idempotencyKey, simulatedFault }: Preparation,
): Promise<OrderSubmission> {
  checkFields(body);
  const found = await venue.findMarketByToken(body.tokenId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "No market has this tokenId.");
  const { market, outcome } = found;
  if (venue.getState(market).status !== "open") {
    if (market.untradable !== null) throw new AppError("MARKET_CLOSED", market.untradable);
    // A live market may close before its expected end.
    const isPast = market.closesAt <= venue.now();
    const closed = `closed at ${new Date(market.closesAt).toISOString()}`;
    throw new AppError("MARKET_CLOSED", `This market ${isPast ? closed : "takes no orders now"}.`);
  }
  const intent = toIntent(body, market);
  const receivedAt = now();
  if (venue.kind === "remote") checkRemoteOptions(body, receivedAt);
  return {
    orderId,
    userId: principal.userId,
    keyId: principal.keyId,
    requestId: principal.requestId,
    market,
    outcome,
    intent,
    conditions: toConditions(venue, body, receivedAt),
    requestedType: body.orderType === intent.type ? undefined : "limit",
    idempotencyKey,
    receivedAt,
    simulatedFault,
    canAskOwner: principal.keyId !== null,
  };
}

function toConditions(venue: Venue, body: PlaceOrderBody, receivedAt: number): OrderConditions {
  const expiresAt = body.expiresAt?.getTime() ?? null;
  if (expiresAt !== null && expiresAt <= receivedAt) {
    throw new AppError("VALIDATION_ERROR", "expiresAt: must be in the future");
  }
  if (expiresAt !== null && expiresAt > LAST_EXPIRY) {
    throw new AppError("VALIDATION_ERROR", "expiresAt: must be before the year 9999");
  }
  return {
    isFillOrKill: resolveTimeInForce(body) === "FOK",
    isPostOnly: body.postOnly ?? false,
    // The venue counts in whole seconds.
    expiresAt:
      expiresAt === null || venue.kind === "embedded" ? expiresAt : expiresAt - (expiresAt % 1000),
  };
}

/** Rejects options that the paper exchange supports and Polymarket does not. */
function checkRemoteOptions(body: PlaceOrderBody, receivedAt: number): void {
  if (resolveTimeInForce(body) === "FOK" && body.action === "BUY" && body.shares !== undefined) {
    throw new AppError(
      "CONFLICTING_FIELDS",
      "Polymarket sizes a BUY with timeInForce FOK in USDC. Send amount instead of shares.",
    );
  }
  const soonest = receivedAt + POLYMARKET_MIN_LIFE_MS;
  if (body.expiresAt !== undefined && body.expiresAt.getTime() < soonest) {
    const seconds = POLYMARKET_MIN_LIFE_MS / 1000;
    throw new AppError(
      "VALIDATION_ERROR",
      `expiresAt: must be at least ${seconds} seconds ahead on Polymarket`,
    );
  }
}
