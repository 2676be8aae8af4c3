import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { checkFields, toIntent } from "@/lib/domain/order-intent";
import { AppError } from "@/lib/errors";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import {
  NO_CONDITIONS,
  type OrderSubmission,
  type Venue,
  type VenueRehearsal,
} from "@/lib/venue/port";

interface Preparation {
  principal: Principal;
  body: PlaceOrderBody;
  orderId: string;
  idempotencyKey: string;
  rehearsal: VenueRehearsal;
}

/**
 * Checks everything about an order that neither the account nor the book decides. What is thrown
 * here leaves the key free: the caller may correct the order and use it again.
 */
export async function prepareOrder(
  venue: Venue,
  { principal, body, orderId, idempotencyKey, rehearsal }: Preparation,
): Promise<OrderSubmission> {
  checkFields(body);
  const found = await venue.findMarketByToken(body.tokenId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "no market has this tokenId");
  const { market, outcome } = found;
  if (venue.getState(market).status !== "open") {
    // Where the end is only an expectation, a market may close before it.
    const isPast = market.closesAt <= venue.now();
    const closed = `closed at ${new Date(market.closesAt).toISOString()}`;
    throw new AppError("MARKET_CLOSED", `this market ${isPast ? closed : "takes no orders now"}`);
  }
  return {
    orderId,
    userId: principal.userId,
    keyId: principal.keyId,
    market,
    outcome,
    intent: toIntent(body, market),
    conditions: NO_CONDITIONS,
    idempotencyKey,
    receivedAt: now(),
    rehearsal,
  };
}
