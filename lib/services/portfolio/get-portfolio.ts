import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Quote } from "@/lib/domain/mark-price";
import { valuate } from "@/lib/domain/position";
import { bookPriceOf } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { type HeldPosition, readPaperHoldings } from "@/lib/ledger/paper-account";
import type { Portfolio, Position } from "@/lib/schemas/account";
import { walletNotFound } from "@/lib/services/account/require-account";
import { type PortfolioWithCash, readLivePortfolio } from "@/lib/services/portfolio/live-portfolio";
import { iconUrl } from "@/lib/services/public-url";
import { add, subtract, sum } from "@/lib/units";
import { venueOf } from "@/lib/venue";
import type { Market, MarketSource } from "@/lib/venue/port";

/**
 * Cash, positions and totals. Profit and loss needs no history: it is what the account is worth
 * less what was paid in, to the micro-unit.
 */
export async function getPortfolio(principal: Principal): Promise<z.output<typeof Portfolio>> {
  return (await readPortfolio(principal)).portfolio;
}

/** The portfolio together with the cash it was calculated from, so that figures add up. */
export async function readPortfolio(principal: Principal): Promise<PortfolioWithCash> {
  if (principal.mode === "live") return readLivePortfolio(principal.userId);
  const found = await readPaperHoldings(await getDb(), principal.userId);
  if (!found) throw walletNotFound("paper");
  const { cash, positions: rows } = found;
  const venue = venueOf(principal.mode);
  const markets = await venue.getMarkets(rows.map((row) => row.marketId));
  const quotes = await venue.getQuotes([...markets.values()]);
  const positions = rows.map((row) => toPosition(row, venue, markets, quotes));
  const portfolioValue = add(cash.owned, sum(positions.map((position) => position.value)));
  const totalPnl = subtract(portfolioValue, cash.netDeposits);
  return { portfolio: { balanceUsdc: cash.owned, portfolioValue, totalPnl, positions }, cash };
}

function toPosition(
  row: HeldPosition,
  venue: MarketSource,
  markets: ReadonlyMap<string, Market>,
  quotes: ReadonlyMap<string, Quote>,
): z.output<typeof Position> {
  const market = markets.get(row.marketId);
  const quote = quotes.get(row.marketId);
  assert(market && quote, "a position's market exists and is quoted");
  const outcome = market.outcomes[0].tokenId === row.tokenId ? 0 : 1;
  const currentPrice = bookPriceOf(outcome, quote.mark);
  const { averagePrice, value, pnl, pnlPercentMicro } = valuate(row, currentPrice);
  return {
    id: row.tokenId,
    conditionId: market.id,
    marketTitle: market.title,
    marketSlug: market.slug,
    iconUrl: iconUrl(market.icon),
    outcome: market.outcomes[outcome].name,
    shares: row.shares,
    avgPrice: averagePrice,
    currentPrice,
    value,
    pnl,
    pnlPercent: pnlPercentMicro,
    negativeRisk: market.isNegRisk,
    redeemable: venue.getState(market).status === "resolved",
  };
}
