import "server-only";
import type { z } from "zod";
import type { Portfolio, Position } from "@/lib/schemas/account";
import { readLiveAccount } from "@/lib/accounts/live-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { buildIconUrl } from "@/lib/public-url";
import { add, sum, type Usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import type { Market, VenueHolding } from "@/lib/venue/port";

export interface PortfolioWithCash {
  portfolio: z.output<typeof Portfolio>;
  cash: {
    available: Usdc;
    held: Usdc;
    owned: Usdc;
    /** Null in live mode, where deposits are unknown. */
    netDeposits: Usdc | null;
  };
}

/** Reads a live account's portfolio with the venue's own valuation. */
export async function readLivePortfolio(userId: string): Promise<PortfolioWithCash> {
  const trader = await requireTrader(userId);
  const { cash, holdings, totalPnl } = await readLiveAccount(trader);
  const markets = await remoteVenue().getMarkets(holdings.map(({ marketId }) => marketId));
  const positions = holdings.map((holding) => toPosition(holding, markets.get(holding.marketId)));
  const portfolioValue = add(cash.owned, sum(positions.map(({ value }) => value)));
  return {
    portfolio: {
      balanceUsdc: cash.owned,
      portfolioValue,
      totalPnl,
      // The venue reports only the total profit.
      realizedPnl: null,
      unrealizedPnl: sum(positions.map(({ pnl }) => pnl)),
      fees: null,
      positions,
    },
    cash: { ...cash, netDeposits: null },
  };
}

function toPosition(holding: VenueHolding, market: Market | undefined): z.output<typeof Position> {
  return {
    id: holding.tokenId,
    conditionId: holding.marketId,
    marketTitle: holding.marketTitle === "" ? (market?.title ?? "") : holding.marketTitle,
    marketSlug: holding.marketSlug === "" ? (market?.slug ?? null) : holding.marketSlug,
    iconUrl: market ? buildIconUrl(market.icon) : null,
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
