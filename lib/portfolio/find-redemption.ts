import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readRedemption, readRedemptionsSince } from "@/lib/ledger/account-history";
import type { RedemptionReceipt, RedemptionTotal } from "@/lib/schemas/portfolio";
import { requireAccount } from "@/lib/accounts/require-account";
import { getVenue } from "@/lib/venues";

/** Returns the receipt of a claimed or closed position from the ledger, or null if there is none. */
export async function findRedemption(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof RedemptionReceipt> | null> {
  // Live positions are redeemed outside of Ante.
  if (principal.mode === "live") return null;
  const found = await getVenue(principal.mode).findMarketByToken(positionId);
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

/** Returns what was claimed since an instant, or null if nothing was. */
export async function findRedemptionsSince(
  principal: Principal,
  since: Date,
): Promise<z.output<typeof RedemptionTotal> | null> {
  if (principal.mode === "live") return null;
  const { payout, won, lost } = await withSnapshot(async (tx) =>
    readRedemptionsSince(tx, await requireAccount(tx, principal), since),
  );
  return won + lost === 0 ? null : { payoutUsdc: payout, won, lost };
}
