import "server-only";
import { inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import type { Owner } from "@/lib/ledger/accounts";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

export interface RedemptionRecord {
  shares: Shares;
  /** Nothing when the position had lost. */
  payout: Usdc;
  at: Date;
}

/** What the exchange's redeem of a position posted; null while it was not redeemed. */
export async function readRedemption(
  tx: Tx,
  owner: Owner,
  tokenId: string,
): Promise<RedemptionRecord | null> {
  const group = `redeem/${owner.userId}/${owner.epoch}/${tokenId}`;
  const [sharesId, cashId] = [`${group}:shares`, `${group}:cash`];
  const legs = await tx
    .select({
      id: ledgerTransfers.id,
      amount: ledgerTransfers.amount,
      at: ledgerTransfers.createdAt,
    })
    .from(ledgerTransfers)
    .where(inArray(ledgerTransfers.id, [sharesId, cashId]));
  const gone = legs.find(({ id }) => id === sharesId);
  if (!gone) return null;
  const paid = legs.find(({ id }) => id === cashId);
  return { shares: shares(gone.amount), payout: usdc(paid?.amount ?? 0n), at: gone.at };
}
