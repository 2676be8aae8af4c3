import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withSnapshot } from "@/lib/db/client";
import { selectRedeemedSums } from "@/lib/db/queries/closed-positions";
import { selectConfirmedClaims } from "@/lib/db/queries/wallet-transactions";
import { assert } from "@/lib/errors";
import {
  readRedemptions,
  readRedemptionsSince,
  type RedemptionSums,
} from "@/lib/ledger/account-history";
import type { RedemptionReceipt, RedemptionTotal } from "@/lib/schemas/portfolio";
import { requireAccount } from "@/lib/accounts/require-account";
import { shares, sum, usdc } from "@/lib/units";
import { getVenue } from "@/lib/venues";

/** Returns the receipt of a claimed or closed position, or null if there is none. */
export async function findRedemption(
  principal: Principal,
  positionId: string,
): Promise<z.output<typeof RedemptionReceipt> | null> {
  const found = await getVenue(principal.mode).findMarketByToken(positionId);
  if (!found) return null;
  const receipts = await listMarketRedemptions(principal, {
    id: found.market.id,
    title: found.market.title,
    outcomes: [found.market.outcomes[found.outcome]],
  });
  return receipts[0] ?? null;
}

type Receipt = z.output<typeof RedemptionReceipt>;

interface NamedMarket {
  id: string;
  title: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

/**
 * Returns the receipts of the claimed or closed positions in a market: in live mode those that were
 * claimed with Ante. What a live position cost is not known, because its wallet may trade elsewhere.
 */
export async function listMarketRedemptions(
  principal: Principal,
  market: NamedMarket,
): Promise<Receipt[]> {
  return principal.mode === "live"
    ? listLiveRedemptions(principal.userId, market)
    : listPaperRedemptions(principal, market);
}

async function listPaperRedemptions(
  principal: Principal,
  { title, outcomes }: NamedMarket,
): Promise<Receipt[]> {
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
    const { shares: size, payout, at } = record;
    const { bought, received, fees } = traded;
    return [
      {
        marketTitle: title,
        outcome: name,
        shares: size,
        payoutUsdc: payout,
        traded: { boughtUsdc: bought, receivedUsdc: received, fees },
        at,
      },
    ];
  });
}

/** Reads the confirmed claims. Shares that reached the wallet after a claim are claimed by another one. */
async function listLiveRedemptions(
  userId: string,
  { id: marketId, title, outcomes }: NamedMarket,
): Promise<Receipt[]> {
  const claims = toClaims(await selectConfirmedClaims(await getDb(), userId, { marketId }));
  return outcomes.flatMap(({ name, tokenId }) => {
    const own = claims.filter((claim) => claim.tokenId === tokenId);
    const last = own.at(-1);
    if (!last) return [];
    return [
      {
        marketTitle: title,
        outcome: name,
        shares: sum(own.map(({ shares: claimed }) => claimed)),
        payoutUsdc: sum(own.map(({ payout }) => payout)),
        traded: null,
        at: last.at,
      },
    ];
  });
}

const toClaims = (rows: Awaited<ReturnType<typeof selectConfirmedClaims>>) =>
  rows.flatMap(({ claims, updatedAt: at }) =>
    (claims ?? []).map(({ tokenId, shares: size, payout }) => ({
      tokenId,
      shares: shares(BigInt(size)),
      payout: usdc(BigInt(payout)),
      at,
    })),
  );

/** Returns what was claimed since an instant, or null if nothing was. A live claim counts once it is final. */
export async function findRedemptionsSince(
  principal: Principal,
  since: Date,
): Promise<z.output<typeof RedemptionTotal> | null> {
  const { payout, won, lost } = await sumRedemptions(principal, since);
  return won + lost === 0 ? null : { payoutUsdc: payout, won, lost };
}

async function sumRedemptions(principal: Principal, since: Date): Promise<RedemptionSums> {
  if (principal.mode === "paper") {
    return withSnapshot(async (tx) =>
      readRedemptionsSince(tx, await requireAccount(tx, principal), since),
    );
  }
  const claims = toClaims(await selectConfirmedClaims(await getDb(), principal.userId, { since }));
  const won = claims.filter(({ payout }) => payout > 0n).length;
  return { payout: sum(claims.map(({ payout }) => payout)), won, lost: claims.length - won };
}
