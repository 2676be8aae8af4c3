import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectPositions } from "@/lib/db/queries/positions";
import { type AccountRow } from "@/lib/db/queries/users";
import { readCash, readShares } from "@/lib/ledger/balances";
import type { TicketAccount } from "@/lib/schemas/ticket";
import { readHoldings, readLiveCash, readLiveShares } from "@/lib/services/account/live-account";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { requireAccount } from "@/lib/services/account/require-account";
import { requireMarket } from "@/lib/services/markets/market-view";
import { averagePrice, larger, MAX_MICRO, NO_USDC, smaller, type Usdc, usdc } from "@/lib/units";
import { venueOf } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** Free cash, and what the account holds and has free of both outcomes of a market. */
export async function getTicketAccount(
  principal: Principal,
  marketId: string,
): Promise<z.output<typeof TicketAccount>> {
  const venue = venueOf(principal.mode);
  const market = await requireMarket(venue, marketId);
  const { status } = venue.getState(market);
  if (principal.mode === "live") {
    return { marketStatus: status, ...(await liveTicketAccount(principal, market)) };
  }
  const [first, second] = market.outcomes;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    return {
      marketStatus: status,
      availableUsdc: cash.available,
      approvedUsdc: approvedBeyond(cash.held, account.allowance),
      holdings: [
        await holdingOf(tx, account, first.tokenId),
        await holdingOf(tx, account, second.tokenId),
      ] as const,
      hasOrdered: await hasOrdered(tx, principal),
    };
  });
}

async function liveTicketAccount(
  principal: Principal,
  { outcomes: [first, second] }: Market,
): Promise<Omit<z.output<typeof TicketAccount>, "marketStatus">> {
  const trader = await requireTrader(principal.userId);
  const [cash, ...holdings] = await Promise.all([
    readLiveCash(trader),
    liveHoldingOf(trader, first.tokenId),
    liveHoldingOf(trader, second.tokenId),
  ]);
  return {
    availableUsdc: cash.available,
    approvedUsdc: approvedBeyond(cash.held, cash.allowance),
    holdings,
    hasOrdered: await hasOrdered(await getDb(), principal),
  };
}

/** The first order of an account is always reviewed. */
async function hasOrdered(tx: Tx, principal: Principal): Promise<boolean> {
  return (await selectOrders(tx, { account: principal }, null, 1)).length > 0;
}

/** An unlimited allowance is more than a JSON number can say. */
function approvedBeyond(held: Usdc, allowance: bigint | null): Usdc | null {
  return allowance === null ? null : usdc(smaller(larger(allowance - held, NO_USDC), MAX_MICRO));
}

async function holdingOf(tx: Tx, account: AccountRow, tokenId: string) {
  const { available, held } = await readShares(tx, account, tokenId);
  const [position] = await selectPositions(tx, [
    { userId: account.userId, epoch: account.epoch, tokenId },
  ]);
  const isHeld = position !== undefined && position.shares > 0n;
  return {
    tokenId,
    freeShares: available,
    reservedShares: held,
    avgPrice: isHeld ? averagePrice(position.cost, position.shares) : null,
  };
}

async function liveHoldingOf(trader: Trader, tokenId: string) {
  const [all, { available, held }] = await Promise.all([
    readHoldings(trader),
    readLiveShares(trader, tokenId),
  ]);
  const holding = all.find((one) => one.tokenId === tokenId);
  return {
    tokenId,
    freeShares: available,
    reservedShares: held,
    avgPrice: holding ? holding.averagePrice : null,
  };
}
