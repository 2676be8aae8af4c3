import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { selectRedeemedSums } from "@/lib/db/queries/closed-positions";
import { assert } from "@/lib/errors";
import { readRedemptions, readRedemptionsSince } from "@/lib/ledger/account-history";
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
  const receipts = await listMarketRedemptions(principal, {
    title: found.market.title,
    outcomes: [found.market.outcomes[found.outcome]],
  });
  return receipts[0] ?? null;
}

interface NamedMarket {
  title: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

/** Returns the receipts of the claimed or closed positions in a market; none in live mode. */
export async function listMarketRedemptions(
  principal: Principal,
  { title, outcomes }: NamedMarket,
): Promise<z.output<typeof RedemptionReceipt>[]> {
  if (principal.mode === "live") return [];
  const tokenIds = outcomes.map(({ tokenId }) => tokenId);
  const [records, sums] = await withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    return Promise.all([
      readRedemptions(tx, account, tokenIds),
      selectRedeemedSums(tx, account, tokenIds),
    ]);
  });
  return outcomes.flatMap(({ name, tokenId }) => {
    const record = records.get(tokenId);
    if (!record) return [];
    const traded = sums.get(tokenId);
    assert(traded, "a redeemed position has movements");
    const { shares, payout, at } = record;
    const { bought, received, fees } = traded;
    return [
      {
        marketTitle: title,
        outcome: name,
        shares,
        payoutUsdc: payout,
        boughtUsdc: bought,
        receivedUsdc: received,
        fees,
        at,
      },
    ];
  });
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
