import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectReservingOrders } from "@/lib/db/queries/orders";
import type { AccountSummary } from "@/lib/schemas/dashboard";
import { readPortfolio } from "@/lib/portfolio/get-portfolio";
import type { PortfolioWithCash } from "@/lib/portfolio/live-portfolio";
import { subtract } from "@/lib/units";

/** Returns available and reserved cash, the value of all positions, and profit. */
export async function getSummary(principal: Principal): Promise<z.output<typeof AccountSummary>> {
  return summarize(principal, await readPortfolio(principal));
}

/** Returns the summary of a portfolio that was just read. */
export async function summarize(
  principal: Principal,
  { portfolio, cash }: PortfolioWithCash,
): Promise<z.output<typeof AccountSummary>> {
  const { positions: _, balanceUsdc, portfolioValue, ...profit } = portfolio;
  const live = await selectReservingOrders(await getDb(), principal);
  return {
    balanceUsdc,
    availableUsdc: cash.available,
    reservedUsdc: cash.held,
    positionsValue: subtract(portfolioValue, balanceUsdc),
    portfolioValue,
    ...profit,
    netDeposits: cash.netDeposits,
    openOrders: live.length,
    waitingOrders: live.filter(({ status }) => status === "pending_approval").length,
    openBuys: live.filter(({ action }) => action === "BUY").length,
  };
}
