import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withTransaction } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Redemption } from "@/lib/schemas/account";
import { venueOf } from "@/lib/venue";

/** Claims a position of a resolved market; claiming it again finds nothing to claim. */
export async function redeemPosition(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof Redemption>> {
  const venue = venueOf(principal.mode);
  if (venue.kind === "remote") {
    throw new AppError("ORDER_REJECTED", "live positions are redeemed on polymarket.com");
  }
  const found = await venue.findMarketByToken(positionId);
  if (!found) throw new AppError("MARKET_NOT_FOUND", "no market has this token");
  const request = { userId: principal.userId, ...found };
  const result = await withTransaction((tx) => venue.redeemPosition(tx, request));
  if (result.outcome === "not_resolved") {
    throw new AppError("ORDER_REJECTED", "this market is not resolved yet");
  }
  if (result.outcome === "nothing_held") {
    throw new AppError("INSUFFICIENT_SHARES", "there is nothing to claim in this position");
  }
  return { positionId, shares: result.shares, payoutUsdc: result.payout };
}
