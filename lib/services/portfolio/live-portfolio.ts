import "server-only";
import type { z } from "zod";
import type { Portfolio, Position } from "@/lib/schemas/account";
import { readHoldings, readLiveCash, readTotalPnl } from "@/lib/services/account/live-account";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { iconUrl } from "@/lib/services/public-url";
import { add, sum, type Usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venue";
import type { Market, VenueHolding } from "@/lib/venue/port";

export interface PortfolioWithCash {
  portfolio: z.output<typeof Portfolio>;
  cash: {
    available: Usdc;
    held: Usdc;
    owned: Usdc;
    /** Null in live mode: money comes to a wallet without our knowing. */
    netDeposits: Usdc | null;
  };
}

/** A live account as the venue values it. */
export async function readLivePortfolio(userId: string): Promise<PortfolioWithCash> {
  const trader = await requireTrader(userId);
  const [cash, holdings, totalPnl] = await Promise.all([
    readLiveCash(trader),
    readHoldings(trader),
    readTotalPnl(trader),
  ]);
  const markets = await remoteVenue().getMarkets(holdings.map(({ marketId }) => marketId));
  const positions = holdings.map((holding) => toPosition(holding, markets.get(holding.marketId)));
  const portfolioValue = add(cash.owned, sum(positions.map(({ value }) => value)));
  return {
    portfolio: { balanceUsdc: cash.owned, portfolioValue, totalPnl, positions },
    cash: { ...cash, netDeposits: null },
  };
}

function toPosition(holding: VenueHolding, market: Market | undefined): z.output<typeof Position> {
  return {
    id: holding.tokenId,
    conditionId: holding.marketId,
    marketTitle: holding.marketTitle === "" ? (market?.title ?? "") : holding.marketTitle,
    marketSlug: holding.marketSlug === "" ? (market?.slug ?? null) : holding.marketSlug,
    iconUrl: market ? iconUrl(market.icon) : null,
    outcome: holding.outcome,
    shares: holding.shares,
    avgPrice: holding.averagePrice,
    currentPrice: holding.currentPrice,
    value: holding.value,
    pnl: holding.pnl,
    pnlPercent: holding.pnlPercentMicro,
    negativeRisk: holding.isNegRisk,
    redeemable: holding.isRedeemable,
  };
}
