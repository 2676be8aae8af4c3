import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { listMarketFills } from "@/lib/activity/list-market-fills";
import { listMarketOrders } from "@/lib/orders/list-open-orders";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import type { OwnMarket } from "@/lib/schemas/market-pages";
import { withStaleReads } from "@/lib/stale-reads";

/** The number of fills in the chart and the list below it. */
const FILLS_SHOWN = 50;

/** Returns the account's positions, open orders and newest fills in a market. */
export async function getOwnMarket(
  principal: Principal,
  marketId: string,
): Promise<z.output<typeof OwnMarket>> {
  const [portfolio, orders, fills] = await Promise.all([
    withStaleReads(() => getPortfolio(principal)),
    listMarketOrders(principal, marketId),
    listMarketFills(principal, marketId, FILLS_SHOWN),
  ]);
  const positions = portfolio.isKnown
    ? portfolio.value.positions.filter(({ conditionId }) => conditionId === marketId)
    : null;
  return { positions, orders, fills };
}
