import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectLiveOrders } from "@/lib/db/queries/orders";
import type { AccountSummary } from "@/lib/schemas/dashboard";
import { readPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { subtract } from "@/lib/units";

/** The account in a line: cash, what of it is free, what everything is worth. */
export async function getSummary(principal: Principal): Promise<z.output<typeof AccountSummary>> {
  const { portfolio, cash } = await readPortfolio(principal);
  const { balanceUsdc, portfolioValue, totalPnl } = portfolio;
  const live = await selectLiveOrders(await getDb(), principal);
  return {
    balanceUsdc,
    availableUsdc: cash.available,
    reservedUsdc: cash.held,
    positionsValue: subtract(portfolioValue, balanceUsdc),
    portfolioValue,
    totalPnl,
    netDeposits: cash.netDeposits,
    openOrders: live.length,
  };
}
