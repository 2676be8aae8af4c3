import "server-only";
import { getDb } from "@/lib/db/client";
import { type Purchases, selectAllPositions, selectPurchases } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import type { PositionRow } from "@/lib/db/rows";
import { valuate } from "@/lib/domain/position";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { userIdOf } from "@/lib/sandbox/accounts";
import { averagePrice, NO_SHARES, NO_USDC, type Price, type Usdc } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

/** A position with everything that the venue's data services say of one. */
export interface WalletPosition extends PositionRow {
  wallet: string;
  market: Market;
  outcome: OutcomeIndex;
  /** What was ever bought of it. */
  bought: Purchases;
  /** Of the shares still held; of all that were bought once none is left. */
  averagePrice: Price;
  currentPrice: Price;
  value: Usdc;
  /** What the shares still held gained, without fees. */
  pnl: Usdc;
  pnlPercent: bigint;
  isOpen: boolean;
  isResolved: boolean;
  /** Shares of the other outcome are held too. */
  isMergeable: boolean;
}

const NOTHING: Purchases = { shares: NO_SHARES, cost: NO_USDC, fees: NO_USDC, firstAt: 0 };

/** Every position that a wallet ever had; none for a wallet that the sandbox has not seen. */
export async function readWalletPositions(wallet: string): Promise<WalletPosition[]> {
  const db = await getDb();
  const account = await selectAccount(db, userIdOf(wallet));
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
    const currentPrice = bookPriceOf(outcome, quote.mark);
    const isMergeable =
      held.has(market.outcomes[0].tokenId) && held.has(market.outcomes[1].tokenId);
    return {
      ...row,
      ...figuresOf(row, bought.get(row.tokenId) ?? NOTHING, currentPrice),
      wallet: wallet.toLowerCase(),
      market,
      outcome,
      currentPrice,
      isResolved: exchange.getState(market).status === "resolved",
      isMergeable,
    };
  });
}

function figuresOf(row: PositionRow, bought: Purchases, at: Price) {
  if (row.shares > 0n) {
    const { averagePrice: average, value, pnl, pnlPercentMicro } = valuate(row, at);
    return { bought, averagePrice: average, value, pnl, pnlPercent: pnlPercentMicro, isOpen: true };
  }
  const average = bought.shares > 0n ? averagePrice(bought.cost, bought.shares) : at;
  const nothing = { value: NO_USDC, pnl: NO_USDC, pnlPercent: 0n };
  return { bought, averagePrice: average, ...nothing, isOpen: false };
}

/**
 * What the venue calls the realized percentage, on all its recorded positions: what the shares still
 * held are worth, against the average price of all that were ever bought.
 */
export function percentRealized(position: {
  value: Usdc;
  averagePrice: Price;
  bought: Pick<Purchases, "shares">;
}): bigint {
  const spent = (position.bought.shares * position.averagePrice) / 1_000_000n;
  return spent === 0n ? 0n : ((position.value - spent) * 100_000_000n) / spent;
}
