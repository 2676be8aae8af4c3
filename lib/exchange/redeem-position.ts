import "server-only";
import { takeTurns } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { restoreStatementTimeout, withMarketTransaction } from "@/lib/db/market-transaction";
import { selectPositions, upsertPositions } from "@/lib/db/queries/positions";
import type { OwnerRow } from "@/lib/db/queries/wallets";
import { applySell } from "@/lib/domain/position";
import { type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import { available, collateral, issuance, USDC } from "@/lib/ledger/accounts";
import { type Cause, draftPositionEvent } from "@/lib/ledger/account-log";
import { post, type Transfer } from "@/lib/ledger/transfers";
import { notional, type Price } from "@/lib/units";
import { readTime } from "@/lib/exchange/clock";
import { getToken } from "@/lib/exchange/paper-market";
import { getMarketData } from "@/lib/exchange/choose-source";
import { lockMarket } from "@/lib/exchange/load-market";
import { lockLimitedOwner, refuseTransactions } from "@/lib/exchange/owner-limits";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { cancelLiveOrders } from "@/lib/exchange/settle-due";
import type { RedeemRequest, RedeemResult } from "@/lib/venue/port";

type PaperRedeem = RedeemRequest & { market: ExchangeMarket };

/**
 * Pays out and closes a position of a resolved market: $1 per winning share, $0 per losing share,
 * and $0.50 per share of either outcome if neither won.
 *
 * Cancels the owner's live orders in the market first, so that no shares are held. Many orders take
 * several transactions.
 */
export async function redeemPaperPosition(request: PaperRedeem): Promise<RedeemResult> {
  for (;;) {
    const result = await withMarketTransaction(request.market.id, (tx) => redeem(tx, request));
    if (result) return result;
    await takeTurns();
  }
}

/** Returns null if more orders must be canceled first. */
async function redeem(
  tx: Tx,
  { market, outcome, userId, keyId = null, requestId = null }: PaperRedeem,
): Promise<RedeemResult | null> {
  const owner = await lockLimitedOwner(tx, userId);
  const refusal = await refuseTransactions(tx, { userId, keyId }, [{ kind: "redeem" }]);
  if (refusal) return { outcome: "forbidden", refusal };
  const time = readTime();
  const firstPayout = getMarketData(market).getFirstPayout(time.market);
  if (firstPayout === null) return { outcome: "not_resolved" };
  await lockMarket(tx, market);
  await restoreStatementTimeout(tx);
  if (await cancelLiveOrders(tx, market, { userId })) return null;
  const cause = { requestId, keyId };
  const at = new Date(time.now);
  return redeemHolding(tx, { market, outcome, firstPayout, owner, cause, at });
}

export interface Redemption {
  market: ExchangeMarket;
  outcome: OutcomeIndex;
  /** What a share of the first outcome pays. */
  firstPayout: Price;
  owner: OwnerRow;
  cause: Cause;
  at: Date;
}

/**
 * Pays out and closes a holding in the caller's transaction, which has locked the resolved market and
 * canceled the owner's orders in it.
 */
export async function redeemHolding(
  tx: Tx,
  { market, outcome, firstPayout, owner, cause, at }: Redemption,
): Promise<Extract<RedeemResult, { outcome: "redeemed" | "nothing_held" }>> {
  const tokenId = getToken(market, outcome);
  const [position] = await selectPositions(tx, [{ ...owner, tokenId }]);
  if (!position || position.shares === 0n) return { outcome: "nothing_held" };

  const payout = notional(position.shares, toBookPrice(outcome, firstPayout), "down");
  const group = `redeem/${owner.userId}/${owner.epoch}/${tokenId}`;
  const base = { kind: "redeem", groupId: group, marketId: market.id } as const;
  const transfers: Transfer[] = [
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
  const closed = { ...position, ...applySell(position, position.shares, payout), updatedAt: at };
  const redeemed = {
    owner: { userId: owner.userId, epoch: owner.epoch },
    type: "position.redeemed",
    data: { tokenId, shares: position.shares.toString(), payout: payout.toString() },
    cause,
  } as const;
  const events = [redeemed, draftPositionEvent(closed, cause)];
  await post(tx, { transfers: transfers.filter(({ amount }) => amount > 0n), events }, at);
  await upsertPositions(tx, [closed]);
  return { outcome: "redeemed", shares: position.shares, payout };
}
