import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOpenClaim, type WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";
import type { ClaimResult } from "@/lib/schemas/wallet-transactions";
import { shares, usdc } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import type { ClaimedPosition, PreparedAction } from "@/lib/venue/wallet-relay";
import { toPublicStatus } from "@/lib/domain/wallet-transaction";
import { readOutcome } from "@/lib/wallet-transactions/outcome";
import { recordTransaction } from "@/lib/wallet-transactions/record";
import { requireSigningRelay } from "@/lib/wallet-transactions/require-relay";

/** Options of a claim that the service makes for the user. */
interface ClaimOptions {
  isAutomatic?: boolean;
}

/**
 * Claims the positions of a resolved market with one transaction of the live wallet. While a claim of
 * the market is open, returns that claim: the market is claimed once, however often it is called.
 */
export async function claimLiveMarket(
  principal: Principal,
  { market, tokenId }: { market: Market; tokenId: string },
  { isAutomatic = false }: ClaimOptions = {},
): Promise<z.output<typeof ClaimResult>> {
  if (market.untradable !== null) throw new AppError("ORDER_REJECTED", market.untradable);
  const { wallet, relay } = await requireSigningRelay(principal.userId);
  const open = await selectOpenClaim(await getDb(), principal.userId, market.id);
  if (open) return toResult(await readOutcome(open), tokenId, null);
  const prepared = await relay.prepare(wallet, { kind: "redeem", market });
  const claim = requireClaim(prepared, tokenId);
  const recorded =
    (await recordTransaction(principal, {
      wallet,
      kind: "redeem",
      market,
      shares: null,
      isAutomatic,
    })) ?? (await selectOpenClaim(await getDb(), principal.userId, market.id));
  // Another request made the claim, and it has ended since.
  if (!recorded) throw nothingToClaim();
  return toResult(await readOutcome(recorded), tokenId, claim);
}

const nothingToClaim = () =>
  new AppError("INSUFFICIENT_SHARES", "This position has nothing to claim.");

function requireClaim(prepared: PreparedAction, tokenId: string): ClaimedPosition {
  if (prepared.outcome === "not_resolved") {
    throw new AppError("ORDER_REJECTED", "This market isn't resolved yet.");
  }
  const claims = prepared.outcome === "ready" ? prepared.claims : [];
  const claim = claims.find((each) => each.tokenId === tokenId);
  if (!claim) throw nothingToClaim();
  return claim;
}

/** The position's part of a claim. Before it is signed, the part is known only to its own request. */
function toResult(
  row: WalletTransactionRow,
  tokenId: string,
  read: ClaimedPosition | null,
): z.output<typeof ClaimResult> {
  const stored = row.claims?.find((claim) => claim.tokenId === tokenId);
  return {
    positionId: tokenId,
    shares: stored ? shares(BigInt(stored.shares)) : (read?.shares ?? shares(0n)),
    payoutUsdc: stored ? usdc(BigInt(stored.payout)) : (read?.payout ?? usdc(0n)),
    status: toPublicStatus(row.status),
    transactionId: row.id,
  };
}
