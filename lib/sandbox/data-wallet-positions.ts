import "server-only";
import { getDb } from "@/lib/db/client";
import { type Purchases, selectAllPositions, selectPurchases } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import type { PositionRow } from "@/lib/db/rows";
import { valuate } from "@/lib/domain/position";
import { toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { toUserId } from "@/lib/sandbox/accounts";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { averagePrice, NO_SHARES, NO_USDC, type Price, type Usdc } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

/** A position with every figure that the venue's data services report. */
export interface WalletPosition extends PositionRow {
  wallet: string;
  market: Market;
  outcome: OutcomeIndex;
  /** All purchases ever, including shares that were sold since. */
  bought: Purchases;
  /** The average of the shares held; for a closed position, of all purchases. */
  averagePrice: Price;
  currentPrice: Price;
  value: Usdc;
  /** The unrealized profit of the shares held, without fees. */
  pnl: Usdc;
  pnlPercent: bigint;
  isOpen: boolean;
  isResolved: boolean;
  /** Whether the wallet also holds shares of the other outcome. */
  isMergeable: boolean;
}

const NO_PURCHASES: Purchases = { shares: NO_SHARES, cost: NO_USDC, fees: NO_USDC, firstAt: 0 };

/** Reads every position that a wallet ever had; empty for a wallet without an account. */
export async function readWalletPositions(wallet: string): Promise<WalletPosition[]> {
  await settleWallet(wallet);
  const db = await getDb();
  const account = await selectAccount(db, toUserId(wallet));
  if (!account) return [];
  const rows = await selectAllPositions(db, account);
  const bought = await selectPurchases(db, account);
  const exchange = paperExchange();
  const markets = await exchange.getMarkets(rows.map(({ marketId }) => marketId));
  const quotes = await exchange.getQuotes([...markets.values()]);
  const held = new Set(rows.flatMap((row) => (row.shares > 0n ? row.tokenId : [])));
  return rows.map((row) => {
    const market = markets.get(row.marketId);
    const quote = quotes.get(row.marketId);
    assert(market && quote, "a position's market exists and is quoted");
    const outcome = market.outcomes[0].tokenId === row.tokenId ? 0 : 1;
    const currentPrice = toBookPrice(outcome, quote.mark);
    const isMergeable =
      held.has(market.outcomes[0].tokenId) && held.has(market.outcomes[1].tokenId);
    return {
      ...row,
      ...computeFigures(row, bought.get(row.tokenId) ?? NO_PURCHASES, currentPrice),
      wallet: wallet.toLowerCase(),
      market,
      outcome,
      currentPrice,
      isResolved: exchange.getState(market).status === "resolved",
      isMergeable,
    };
  });
}

function computeFigures(row: PositionRow, bought: Purchases, at: Price) {
  if (row.shares > 0n) {
    const { averagePrice: average, value, pnl, pnlPercentMicro } = valuate(row, at);
    return { bought, averagePrice: average, value, pnl, pnlPercent: pnlPercentMicro, isOpen: true };
  }
  const average = bought.shares > 0n ? averagePrice(bought.cost, bought.shares) : at;
  const nothing = { value: NO_USDC, pnl: NO_USDC, pnlPercent: 0n };
  return { bought, averagePrice: average, ...nothing, isOpen: false };
}

/**
 * Computes the venue's realized percentage, in millionths: the value of the shares held against the
 * cost of all shares ever bought at their average price. All recorded positions of the venue agree.
 */
export function computeRealizedPercent(position: {
  value: Usdc;
  averagePrice: Price;
  bought: Pick<Purchases, "shares">;
}): bigint {
  const spent = (position.bought.shares * position.averagePrice) / 1_000_000n;
  return spent === 0n ? 0n : ((position.value - spent) * 100_000_000n) / spent;
}
