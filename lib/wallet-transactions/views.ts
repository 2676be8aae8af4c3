import "server-only";
import type { z } from "zod";
import type { WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import type { TransactionState } from "@/lib/db/schema/account-events";
import type { StoredClaim } from "@/lib/db/schema/wallet-transactions";
import { toPublicStatus, type WaitReason } from "@/lib/domain/wallet-transaction";
import type { Redemption } from "@/lib/schemas/account";
import type { WalletTransaction } from "@/lib/schemas/wallet-transactions";
import { shares, usdc } from "@/lib/units";

const WAIT_TEXT: Record<WaitReason, string> = {
  wallet_busy: "Another transaction of this wallet is in progress. Ante continues after it.",
  quota: "Polymarket's quota for this server is used up. Ante continues when it resets.",
  frozen: "Trading is frozen. Ante continues when it is thawed.",
  no_response: "Polymarket doesn't respond. Ante keeps trying.",
  not_authorized:
    "Polymarket's relayer doesn't accept this server's builder credentials. Ante keeps trying.",
  unproved:
    "Polymarket doesn't say whether this happened. Ante keeps checking the chain; your operator can settle it.",
};

/** Returns why a transaction waits or failed, as a sentence for users; null otherwise. */
function describeReason({
  status,
  waitReason,
  failure,
}: Pick<WalletTransactionRow, "status" | "waitReason" | "failure">): string | null {
  if (status === "failed") return failure;
  return waitReason === null ? null : WAIT_TEXT[waitReason];
}

/** Returns what an event stores of a transaction. */
export function describeState(
  row: WalletTransactionRow,
  transactionHash: string | null,
): TransactionState {
  return {
    id: row.id,
    kind: row.kind,
    status: toPublicStatus(row.status),
    marketId: row.marketId,
    shares: row.shares?.toString() ?? null,
    reason: describeReason(row),
    transactionHash,
  };
}

/** Maps a transaction to its form in the API. */
export function toWalletTransaction(
  row: WalletTransactionRow,
  transactionHash: string | null,
): z.output<typeof WalletTransaction> {
  const { id, kind, status, marketId, shares: size, claims, createdAt, updatedAt } = row;
  return {
    id,
    kind,
    status: toPublicStatus(status),
    marketId,
    shares: size,
    reason: describeReason(row),
    transactionHash,
    redemptions: (claims ?? []).map(toRedemption),
    createdAt,
    updatedAt,
  };
}

/** Maps a claimed position to its form in the API. */
const toRedemption = ({
  tokenId,
  shares: size,
  payout,
}: StoredClaim): z.output<typeof Redemption> => ({
  positionId: tokenId,
  shares: shares(BigInt(size)),
  payoutUsdc: usdc(BigInt(payout)),
});
