import "server-only";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { AuditEvent } from "@/lib/auth/security-events";
import { getDb } from "@/lib/db/client";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import type { TransactionState, WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import type { EventDraft } from "@/lib/ledger/account-log";
import type { Transfer } from "@/lib/ledger/transfers";
import { buildClaim, buildSplitOrMerge } from "@/lib/ledger/wallet-transfers";
import { assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { shares, usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { recordStep, type StepResult } from "@/lib/wallet-transactions/change";
import type { StepLease } from "@/lib/wallet-transactions/lease";

/**
 * Records that a transaction is final on the chain: in the ledger and in the account's log, in the same
 * database transaction as its status. The ids of the transfers are derived from it, so they are posted
 * once.
 *
 * @param audit the line of the security log, if the operator settles it.
 */
export async function settle(
  { transaction }: TransactionState,
  lease: StepLease,
  transactionHash: string | null,
  audit?: AuditEvent,
): Promise<StepResult> {
  const transfers = await buildTransfers(transaction);
  const result = await recordStep(transaction.id, lease.until, ({ transaction: row, signed }) => ({
    status: "confirmed",
    form: { transactionHash: transactionHash ?? signed?.transactionHash ?? null },
    transfers,
    events: draftRedemptions(row),
    audit,
  }));
  await refreshAtVenue(transaction);
  return result;
}

/** Otherwise the venue may refuse the next order by what it read before. It reads again by itself later. */
async function refreshAtVenue({ id, userId, marketId }: WalletTransactionRow): Promise<void> {
  try {
    const rows = marketId === null ? [] : await selectMarketRows(await getDb(), [marketId]);
    const tokenIds = rows.flatMap(({ firstToken, secondToken }) => [firstToken, secondToken]);
    const trader = await requireTrader(userId);
    await remoteVenue().refreshBalances(trader, tokenIds, rows[0]?.protocol ?? "v1");
  } catch (error) {
    log.warn("balances not refreshed at the venue", { transactionId: id, ...errorFields(error) });
  }
}

async function buildTransfers(row: WalletTransactionRow): Promise<Transfer[]> {
  const { id: transactionId, kind, marketId, userId, epoch } = row;
  if (kind === "approve") return [];
  assert(marketId !== null, "a claim, split or merge has a market");
  const party = { transactionId, owner: { userId, epoch }, marketId };
  if (kind === "redeem") return buildClaim(party, (row.claims ?? []).map(toClaim));
  const [market] = await selectMarketRows(await getDb(), [marketId]);
  assert(market && row.shares !== null, "the market of a split or merge is recorded with it");
  const tokenIds = [market.firstToken, market.secondToken];
  return buildSplitOrMerge(party, kind, { tokenIds, shares: row.shares });
}

/** Drafts an event for each claimed position, as for a claim on paper. */
function draftRedemptions({
  kind,
  claims,
  userId,
  epoch,
  requestId,
  keyId,
}: WalletTransactionRow): EventDraft[] {
  if (kind !== "redeem") return [];
  return (claims ?? []).map((data) => ({
    owner: { userId, epoch },
    type: "position.redeemed",
    data,
    cause: { requestId, keyId },
  }));
}

const toClaim = (claim: { tokenId: string; shares: string; payout: string }) => ({
  tokenId: claim.tokenId,
  shares: shares(BigInt(claim.shares)),
  payout: usdc(BigInt(claim.payout)),
});
