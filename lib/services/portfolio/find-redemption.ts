import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readRedemption } from "@/lib/ledger/redemptions";
import type { RedemptionReceipt } from "@/lib/schemas/portfolio";
import { requireAccount } from "@/lib/services/account/require-account";
import { venueOf } from "@/lib/venue";

/** What came of claiming or closing a position, as the ledger has it; null if that never was. */
export async function findRedemption(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof RedemptionReceipt> | null> {
  // What a live account redeemed, it redeemed elsewhere.
  if (principal.mode === "live") return null;
  const found = await venueOf(principal.mode).findMarketByToken(positionId);
  if (!found) return null;
  const record = await withSnapshot(async (tx) =>
    readRedemption(tx, await requireAccount(tx, principal), positionId),
  );
  if (!record) return null;
  const { market, outcome } = found;
  return {
    marketTitle: market.title,
    outcome: market.outcomes[outcome].name,
    shares: record.shares,
    payoutUsdc: record.payout,
    at: record.at,
  };
}
