import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { isLockTimeout, isTransient } from "@/lib/db/errors";
import { isCombo } from "@/lib/domain/combo";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import type { ClaimResult } from "@/lib/schemas/wallet-transactions";

export interface RedeemedPositions {
  redeemed: z.output<typeof ClaimResult>[];
  /** Positions that are still held. */
  failed: { positionId: string; marketTitle: string; message: string }[];
}

/**
 * Claims or closes every position of a resolved market, each in a transaction of its own, so that one
 * failure doesn't hold back the others. A position that another call redeems meanwhile is in neither
 * list: it is paid once.
 */
export async function redeemAll(principal: Principal): Promise<RedeemedPositions> {
  const { positions } = await getPortfolio(principal);
  const result: RedeemedPositions = { redeemed: [], failed: [] };
  // A combo is claimed at the venue.
  const claimable = positions.filter(({ id, redeemable }) => redeemable && !isCombo(id));
  for (const { id, marketTitle } of claimable) {
    try {
      result.redeemed.push(await redeemPosition(principal, id));
    } catch (error) {
      const message = describeFailure(error);
      if (message === null) continue;
      result.failed.push({ positionId: id, marketTitle, message });
    }
  }
  return result;
}

/** Returns why a position is still held; null if another call has redeemed it. */
function describeFailure(error: unknown): string | null {
  if (error instanceof AppError) {
    return error.code === "INSUFFICIENT_SHARES" ? null : error.message;
  }
  // Both changed nothing, so the other positions can continue.
  if (!isLockTimeout(error) && !isTransient(error)) throw error;
  log.warn("position not redeemed", errorFields(error));
  return "The market is busy. Try again.";
}
