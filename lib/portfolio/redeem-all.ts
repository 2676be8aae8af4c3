import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import type { Redemption } from "@/lib/schemas/account";

export interface RedeemedPositions {
  redeemed: z.output<typeof Redemption>[];
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
  for (const { id, marketTitle } of positions.filter(({ redeemable }) => redeemable)) {
    try {
      result.redeemed.push(await redeemPosition(principal, id));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "INSUFFICIENT_SHARES") continue;
      result.failed.push({ positionId: id, marketTitle, message: error.message });
    }
  }
  return result;
}
