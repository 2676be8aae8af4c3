import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb, withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectPositions } from "@/lib/db/queries/positions";
import type { AccountRow } from "@/lib/db/rows";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { selectOwnOrders } from "@/lib/orders/ticket-book";
import type { TicketAccount } from "@/lib/schemas/ticket";
import {
  readApproval,
  readHoldings,
  readLiveCash,
  readLiveShares,
} from "@/lib/accounts/live-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireMarket } from "@/lib/markets/market-view";
import { averagePrice, larger, MAX_MICRO, NO_USDC, smaller, type Usdc, usdc } from "@/lib/units";
import { getVenue, remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** Returns the available cash, and the account's shares and open orders in a market. */
export async function getTicketAccount(
  principal: Principal,
  marketId: string,
): Promise<z.output<typeof TicketAccount>> {
  const venue = getVenue(principal.mode);
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
      approvedUsdc: computeApprovalLeft(cash.held, account.allowance),
      holdings: [
        await readHolding(tx, account, first.tokenId),
        await readHolding(tx, account, second.tokenId),
      ] as const,
      orders: await selectOwnOrders(tx, principal, marketId),
      hasOrdered: await hasOrdered(tx, principal),
      isFrozen: await isFrozen(tx, principal),
    };
  });
}

async function liveTicketAccount(
  principal: Principal,
  market: Market,
): Promise<Omit<z.output<typeof TicketAccount>, "marketStatus">> {
  const trader = await requireTrader(principal.userId);
  const [first, second] = market.outcomes;
  const [builder, cash, approval, ...holdings] = await Promise.all([
    remoteVenue().getBuilder(),
    readLiveCash(trader),
    readApproval(trader, market),
    readLiveHolding(trader, first.tokenId),
    readLiveHolding(trader, second.tokenId),
  ]);
  return {
    availableUsdc: cash.available,
    approvedUsdc: computeApprovalLeft(approval.used, approval.allowance),
    holdings,
    orders: await selectOwnOrders(await getDb(), principal, market.id),
    hasOrdered: await hasOrdered(await getDb(), principal),
    isFrozen: await isFrozen(await getDb(), principal),
    ...(builder && {
      builderFees: { takerBps: Number(builder.takerBps), makerBps: Number(builder.makerBps) },
    }),
  };
}

/** Whether the account has placed an order. The ticket always reviews the first one. */
async function hasOrdered(tx: Tx, principal: Principal): Promise<boolean> {
  return (await selectOrders(tx, { account: principal }, null, 1)).length > 0;
}

/** Whether orders from the dashboard, which have no key, are refused. */
async function isFrozen(tx: Tx, { userId, mode }: Principal): Promise<boolean> {
  const query = { userId, mode, keyId: null, marketId: null, now: now() };
  return (await readLimitedSubjects(tx, query)).some(({ frozen }) => frozen !== null);
}

/** Returns the allowance that is left, capped because a JSON number can't hold an unlimited one. */
function computeApprovalLeft(held: Usdc, allowance: bigint | null): Usdc | null {
  return allowance === null ? null : usdc(smaller(larger(allowance - held, NO_USDC), MAX_MICRO));
}

async function readHolding(tx: Tx, account: AccountRow, tokenId: string) {
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

async function readLiveHolding(trader: Trader, tokenId: string) {
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
