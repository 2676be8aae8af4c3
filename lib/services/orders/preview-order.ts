import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { countLiveOrders } from "@/lib/db/queries/orders";
import { refuseUnfunded } from "@/lib/domain/funding";
import { newId } from "@/lib/ids";
import type { OrderPreview, PlaceOrderBody } from "@/lib/schemas/orders";
import { readFunds } from "@/lib/services/account/read-funds";
import { prepareOrder } from "@/lib/services/orders/prepare-order";
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
import { venueOf } from "@/lib/venue";
import type { OrderEstimate } from "@/lib/venue/port";

/**
 * What the same body would do if it were placed now. What the account or the book would refuse is
 * data; what is wrong with the body itself is thrown, as by placing it.
 */
export async function previewOrder(
  principal: Principal,
  body: PlaceOrderBody,
): Promise<z.output<typeof OrderPreview>> {
  const db = await getDb();
  const venue = venueOf(principal.mode);
  const submission = await prepareOrder(venue, {
    principal,
    body,
    orderId: newId("ord"),
    idempotencyKey: body.idempotencyKey ?? "preview",
    rehearsal: null,
  });
  const estimate = await venue.estimateOrder(submission);
  const { cash, shares: free, allowance } = await readFunds(principal, body.tokenId);
  const isBuy = body.action === "BUY";
  const unfunded = refuseUnfunded({
    action: body.action,
    hold: estimate.hold,
    available: isBuy ? cash.available : free.available,
    reserved: isBuy ? cash.held : free.held,
    reservingOrders: await countLiveOrders(db, principal, isBuy ? null : body.tokenId),
    allowance,
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
    cost: costOf(isBuy, estimate),
    holdUsdc: isBuy ? usdc(estimate.hold) : NO_USDC,
    holdShares: isBuy ? NO_SHARES : shares(estimate.hold),
    availableUsdc: cash.available,
    availableShares: free.available,
  };
}

function costOf(isBuy: boolean, estimate: OrderEstimate): Usdc {
  return isBuy ? add(estimate.notional, estimate.fee) : subtract(estimate.notional, estimate.fee);
}
