import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectPositions, upsertPositions } from "@/lib/db/queries/positions";
import { lockOwner } from "@/lib/db/queries/wallets";
import { applySell } from "@/lib/domain/position";
import { bookPriceOf } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { available, collateral, issuance, USDC } from "@/lib/ledger/accounts";
import { postTransfers, type Transfer } from "@/lib/ledger/transfers";
import { notional } from "@/lib/units";
import { readTime } from "@/lib/venue/paper/clock";
import { tokenOf } from "@/lib/venue/paper/market";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { touchMarket } from "@/lib/venue/paper/touch";
import type { RedeemRequest, RedeemResult } from "@/lib/venue/port";

/**
 * Pays out a position of a resolved market, one dollar a winning share, and closes it. A losing
 * position is closed at nothing; where nobody won, both are paid half.
 */
export async function redeemPaperPosition(
  tx: Tx,
  request: RedeemRequest & { market: ExchangeMarket },
): Promise<RedeemResult> {
  const { market, outcome } = request;
  const time = readTime();
  const firstPayout = originOf(market).getFirstPayout(time.market);
  if (firstPayout === null) return { outcome: "not_resolved" };
  const owner = await lockOwner(tx, request.userId);
  assert(owner, "an authenticated user exists");
  // Ends the orders that the close has not ended yet, so that no share is held any more.
  await touchMarket(tx, market);
  const tokenId = tokenOf(market, outcome);
  const [position] = await selectPositions(tx, [{ ...owner, tokenId }]);
  if (!position || position.shares === 0n) return { outcome: "nothing_held" };

  const payout = notional(position.shares, bookPriceOf(outcome, firstPayout), "down");
  const group = `redeem/${owner.userId}/${owner.epoch}/${tokenId}`;
  const base = { kind: "redeem", groupId: group, marketId: market.id } as const;
  const legs: Transfer[] = [
    {
      ...base,
      id: `${group}:shares`,
      debit: available(owner, tokenId),
      credit: issuance(tokenId),
      amount: position.shares,
    },
    {
      ...base,
      id: `${group}:cash`,
      debit: collateral(market.id),
      credit: available(owner, USDC),
      amount: payout,
    },
  ];
  const at = new Date(time.now);
  await postTransfers(
    tx,
    legs.filter((leg) => leg.amount > 0n),
    at,
  );
  await upsertPositions(tx, [
    { ...position, ...applySell(position, position.shares, payout), updatedAt: at },
  ]);
  return { outcome: "redeemed", shares: position.shares, payout };
}
