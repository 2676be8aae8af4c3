import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { requireWalletAction } from "@/lib/accounts/require-action";
import type { ClaimResult } from "@/lib/schemas/wallet-transactions";
import { getVenue } from "@/lib/venues";
import { claimLiveMarket } from "@/lib/wallet-transactions/claim-position";

/**
 * Claims a position of a resolved market. A second claim throws INSUFFICIENT_SHARES. A live claim takes
 * a while: repeated calls return its state.
 */
export async function redeemPosition(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof ClaimResult>> {
  const venue = getVenue(principal.mode);
  const found = await venue.findMarketByToken(positionId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "No market has this token.");
  if (venue.kind === "remote") {
    await requireWalletAction(principal, { kind: "redeem" });
    return claimLiveMarket(principal, { market: found.market, tokenId: positionId });
  }
  const { userId, keyId, requestId } = principal;
  const request = { userId, keyId, requestId, ...found };
  const result = await venue.redeemPosition(request);
  if (result.outcome === "forbidden") {
    throw new AppError(result.refusal.code, result.refusal.message);
  }
  if (result.outcome === "not_resolved") {
    throw new AppError("ORDER_REJECTED", "This market isn't resolved yet.");
  }
  if (result.outcome === "nothing_held") {
    throw new AppError("INSUFFICIENT_SHARES", "This position has nothing to claim.");
  }
  const { shares, payout: payoutUsdc } = result;
  return { positionId, shares, payoutUsdc, status: "confirmed", transactionId: null };
}
