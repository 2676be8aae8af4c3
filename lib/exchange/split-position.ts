import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectPositions, upsertPositions } from "@/lib/db/queries/positions";
import type { OwnerRow } from "@/lib/db/queries/wallets";
import type { PositionRow } from "@/lib/db/rows";
import { splitMovements } from "@/lib/db/schema/trading";
import { applyBuy, applySell, EMPTY_HOLDING } from "@/lib/domain/position";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { type Cause, draftPositionEvent } from "@/lib/ledger/account-log";
import { available, collateral, issuance, lockAccounts, USDC } from "@/lib/ledger/accounts";
import { post, type Transfer } from "@/lib/ledger/transfers";
import { type Shares, usdc } from "@/lib/units";
import { getToken } from "@/lib/exchange/paper-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import type { PositionRefusal } from "@/lib/venue/port";

const OUTCOMES = [0, 1] as const;

export interface SplitOrMerge {
  kind: "split" | "merge";
  market: ExchangeMarket;
  shares: Shares;
  /** Names it in the ledger. A second one with this id fails. */
  groupId: string;
  owner: OwnerRow;
  cause: Cause;
  at: Date;
}

/**
 * Turns cash into as many shares of both outcomes, or back: 1 USDC per pair. Reserved cash and shares
 * can't be used. The caller has locked the market.
 *
 * @returns why it changed nothing, or null.
 */
export async function splitOrMerge(tx: Tx, change: SplitOrMerge): Promise<PositionRefusal | null> {
  const { kind, market, shares, owner, at, cause } = change;
  const paid = kind === "split" ? [USDC] : OUTCOMES.map((outcome) => getToken(market, outcome));
  const accounts = paid.map((asset) => available(owner, asset));
  const balances = await lockAccounts(tx, accounts);
  if (accounts.some(({ id }) => (balances.get(id) ?? 0n) < shares)) {
    return kind === "split" ? "insufficient_cash" : "insufficient_shares";
  }
  if (shares === 0n) return null;
  const movements = OUTCOMES.map((outcome) => toMovement(change, outcome));
  const positions = await applyMovements(tx, change, movements);
  const events = positions.map((row) => draftPositionEvent(row, cause));
  await post(tx, { transfers: buildTransfers(change), events }, at);
  await upsertPositions(tx, positions);
  await tx.insert(splitMovements).values(movements);
  return null;
}

/** The two outcomes share the dollar of a pair. The second takes the odd micro-unit. */
function toMovement(
  { kind, market, shares, groupId, owner, at }: SplitOrMerge,
  outcome: OutcomeIndex,
): typeof splitMovements.$inferInsert {
  return {
    id: `${groupId}:${outcome === 0 ? "first" : "second"}`,
    userId: owner.userId,
    epoch: owner.epoch,
    marketId: market.id,
    tokenId: getToken(market, outcome),
    action: kind === "split" ? "BUY" : "SELL",
    shares,
    notional: usdc((shares + BigInt(outcome)) / 2n),
    createdAt: at,
  };
}

async function applyMovements(
  tx: Tx,
  { owner, at }: SplitOrMerge,
  movements: readonly (typeof splitMovements.$inferInsert)[],
): Promise<PositionRow[]> {
  const rows = await selectPositions(
    tx,
    movements.map(({ tokenId }) => ({ ...owner, tokenId })),
  );
  return movements.map(({ userId, epoch, tokenId, marketId, action, shares, notional }) => {
    const held = rows.find((row) => row.tokenId === tokenId) ?? EMPTY_HOLDING;
    const { cost, realizedPnl, ...rest } = (action === "BUY" ? applyBuy : applySell)(
      { shares: held.shares, cost: held.cost, realizedPnl: held.realizedPnl },
      shares,
      notional,
    );
    return {
      userId,
      epoch,
      tokenId,
      marketId,
      shares: rest.shares,
      cost,
      realizedPnl,
      updatedAt: at,
    };
  });
}

function buildTransfers({ kind, market, shares, groupId, owner }: SplitOrMerge): Transfer[] {
  const isSplit = kind === "split";
  const base = {
    kind: isSplit ? "split_position" : "merge_positions",
    groupId,
    marketId: market.id,
    amount: shares,
  } as const;
  const [locked, cash] = [collateral(market.id), available(owner, USDC)];
  return [
    {
      ...base,
      id: `${groupId}:cash`,
      debit: isSplit ? cash : locked,
      credit: isSplit ? locked : cash,
    },
    ...OUTCOMES.map((outcome) => {
      const token = getToken(market, outcome);
      const [source, held] = [issuance(token), available(owner, token)];
      return {
        ...base,
        id: `${groupId}:${outcome === 0 ? "first" : "second"}`,
        debit: isSplit ? source : held,
        credit: isSplit ? held : source,
      };
    }),
  ];
}
