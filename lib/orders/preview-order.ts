import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { resolveTimeInForce } from "@/lib/domain/order-intent";
import type { OrderPreview, PlaceOrderBody } from "@/lib/schemas/orders";
import { estimatePlacement } from "@/lib/orders/estimate-placement";
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
import type { OrderEstimate } from "@/lib/venue/port";

/**
 * Estimates what a placement with this body would do now. A rejection by the account or the book is
 * returned in `refusal`. An invalid body throws the same error as its placement.
 */
export async function previewOrder(
  principal: Principal,
  body: PlaceOrderBody,
): Promise<z.output<typeof OrderPreview>> {
  const { submission, estimate, funds, waits, hold, refusal } = await estimatePlacement(
    principal,
    body,
  );
  const isBuy = body.action === "BUY";
  return {
    refusal,
    avgPrice:
      estimate.filledShares === 0n ? null : averagePrice(estimate.notional, estimate.filledShares),
    worstPrice: estimate.worstFillPrice,
    limitPrice: estimate.limit,
    shares: estimate.filledShares,
    restingShares: estimate.restingShares,
    amount: estimate.notional,
    fee: estimate.fee,
    ...(estimate.builderFee !== null && { builderFee: estimate.builderFee }),
    cost: computeCost(isBuy, estimate),
    needsApproval: waits,
    holdUsdc: isBuy ? usdc(hold) : NO_USDC,
    holdShares: isBuy ? NO_SHARES : shares(hold),
    availableUsdc: funds.cash.available,
    availableShares: funds.shares.available,
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
