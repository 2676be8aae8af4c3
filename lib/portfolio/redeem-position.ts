import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { requireAction } from "@/lib/accounts/require-action";
import type { Redemption } from "@/lib/schemas/account";
import { getVenue } from "@/lib/venues";

/** Claims a position of a resolved market. A second claim throws INSUFFICIENT_SHARES. */
export async function redeemPosition(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof Redemption>> {
  await requireAction(principal, "REDEEM");
  const venue = getVenue(principal.mode);
  if (venue.kind === "remote") {
    throw new AppError("ORDER_REJECTED", "Live positions can only be redeemed on polymarket.com.");
  }
  const found = await venue.findMarketByToken(positionId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "No market has this token.");
  const { userId, keyId, requestId } = principal;
  const request = { userId, keyId, requestId, ...found };
  const result = await venue.redeemPosition(request);
  if (result.outcome === "not_resolved") {
    throw new AppError("ORDER_REJECTED", "This market isn't resolved yet.");
  }
  if (result.outcome === "nothing_held") {
    throw new AppError("INSUFFICIENT_SHARES", "This position has nothing to claim.");
  }
  return { positionId, shares: result.shares, payoutUsdc: result.payout };
}
