import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { countLiveOrders } from "@/lib/db/queries/orders";
import { refuseUnfunded } from "@/lib/domain/funding";
import { resolveTimeInForce } from "@/lib/domain/order-intent";
import { newId } from "@/lib/ids";
import type { OrderPreview, PlaceOrderBody } from "@/lib/schemas/orders";
import { readFunds } from "@/lib/accounts/read-funds";
import { prepareOrder } from "@/lib/orders/prepare-order";
import {
  add,
  averagePrice,
  NO_SHARES,
  NO_USDC,
  shares,
  subtract,
  type Usdc,
  usdc,
} from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { OrderEstimate } from "@/lib/venue/port";

/**
 * Estimates what a placement with this body would do now. A rejection by the account or the book is
 * returned in `refusal`. An invalid body throws the same error as its placement.
 */
export async function previewOrder(
  principal: Principal,
  body: PlaceOrderBody,
): Promise<z.output<typeof OrderPreview>> {
  const db = await getDb();
  const venue = getVenue(principal.mode);
  const submission = await prepareOrder(venue, {
    principal,
    body,
    orderId: newId("ord"),
    idempotencyKey: body.idempotencyKey ?? "preview",
    simulatedFault: null,
  });
  const estimate = await venue.estimateOrder(submission);
  const funds = await readFunds(principal, submission.market, body.tokenId);
  const { cash, shares: free, allowance, allowanceUsed } = funds;
  const isBuy = body.action === "BUY";
  const unfunded = refuseUnfunded({
    action: body.action,
    hold: estimate.hold,
    available: isBuy ? cash.available : free.available,
    reserved: isBuy ? cash.held : free.held,
    reservingOrders: await countLiveOrders(db, principal, isBuy ? null : body.tokenId),
    allowance,
    allowanceUsed,
  });
  return {
    refusal: estimate.refusal ?? unfunded,
    avgPrice:
      estimate.filledShares === 0n ? null : averagePrice(estimate.notional, estimate.filledShares),
    worstPrice: estimate.worstFillPrice,
    limitPrice: estimate.limit,
    shares: estimate.filledShares,
    restingShares: estimate.restingShares,
    amount: estimate.notional,
    fee: estimate.fee,
    cost: computeCost(isBuy, estimate),
    holdUsdc: isBuy ? usdc(estimate.hold) : NO_USDC,
    holdShares: isBuy ? NO_SHARES : shares(estimate.hold),
    availableUsdc: cash.available,
    availableShares: free.available,
    timeInForce: resolveTimeInForce(body),
    expiresAt:
      submission.conditions.expiresAt === null ? null : new Date(submission.conditions.expiresAt),
    postOnly: submission.conditions.isPostOnly,
  };
}

/** The total of a buy with its fee, or the proceeds of a sell after its fee. */
function computeCost(isBuy: boolean, estimate: OrderEstimate): Usdc {
  return isBuy ? add(estimate.notional, estimate.fee) : subtract(estimate.notional, estimate.fee);
}
