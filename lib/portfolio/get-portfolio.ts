import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { toBookPrice } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import {
  findPaperHoldings,
  type HeldPosition,
  type PaperHoldings,
} from "@/lib/ledger/read-paper-account";
import type { Portfolio } from "@/lib/schemas/account";
import { walletNotFound } from "@/lib/accounts/require-account";
import { type PortfolioWithCash, readLivePortfolio } from "@/lib/portfolio/live-portfolio";
import { type PositionSource, toPaperPositions } from "@/lib/portfolio/paper-positions";
import { add, subtract, sum } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource } from "@/lib/venue/port";

/** Other processes' trades change prices too, and are seen after this time. */
const PRICES_MAX_AGE_MS = 1_000;

/**
 * Returns cash, positions and totals. Profit needs no history: it is the account's value minus net
 * deposits, exact to the micro-unit.
 */
export async function getPortfolio(principal: Principal): Promise<z.output<typeof Portfolio>> {
  return (await readPortfolio(principal)).portfolio;
}

/** Reads the portfolio together with its cash at the same moment, so that the figures add up. */
export async function readPortfolio(principal: Principal): Promise<PortfolioWithCash> {
  if (principal.mode === "live") return readLivePortfolio(principal.userId);
  const found = await findPaperHoldings(principal.userId);
  if (!found) throw walletNotFound("paper");
  return valuePaperHoldings(found);
}

/** Values a paper account's holdings at the current prices. */
export async function valuePaperHoldings({
  account,
  cash,
  positions: rows,
  realizedPnl,
}: PaperHoldings): Promise<PortfolioWithCash> {
  const venue = getVenue("paper");
  const markets = await venue.getMarkets(rows.map((row) => row.marketId));
  const quotes = await venue.getQuotes([...markets.values()], PRICES_MAX_AGE_MS);
  const sources = rows.map((row) => {
    const market = markets.get(row.marketId);
    const quote = quotes.get(row.marketId);
    assert(market && quote, "a position's market exists and is quoted");
    return toSource(row, venue, market, quote);
  });
  const positions = toPaperPositions(account.userId, sources);
  const portfolioValue = add(cash.owned, sum(positions.map((position) => position.value)));
  const totalPnl = subtract(portfolioValue, cash.netDeposits);
  const unrealizedPnl = sum(positions.map(({ pnl }) => pnl));
  // Realized and unrealized profit exclude fees and total profit includes them.
  const fees = subtract(add(realizedPnl, unrealizedPnl), totalPnl);
  const profit = { totalPnl, realizedPnl, unrealizedPnl, fees };
  return { portfolio: { balanceUsdc: cash.owned, portfolioValue, ...profit, positions }, cash };
}

function toSource(
  held: HeldPosition,
  venue: MarketSource,
  market: Market,
  { mark }: Quote,
): PositionSource {
  const outcome = market.outcomes[0].tokenId === held.tokenId ? 0 : 1;
  const redeemable = venue.getState(market).status === "resolved";
  return { held, market, outcome, currentPrice: toBookPrice(outcome, mark), redeemable };
}
