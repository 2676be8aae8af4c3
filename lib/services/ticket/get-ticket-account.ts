import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectPositions } from "@/lib/db/queries/positions";
import { type AccountRow } from "@/lib/db/queries/users";
import { type CashBalance, readCash, readShares } from "@/lib/ledger/balances";
import type { TicketAccount } from "@/lib/schemas/ticket";
import { requireAccount } from "@/lib/services/account/require-account";
import { requireMarket } from "@/lib/services/markets/market-view";
import { averagePrice, larger, MAX_MICRO, NO_USDC, smaller, type Usdc, usdc } from "@/lib/units";
import { venueOf } from "@/lib/venue";

/** Free cash, and what the account holds and has free of both outcomes of a market. */
export async function getTicketAccount(
  principal: Principal,
  marketId: string,
): Promise<z.output<typeof TicketAccount>> {
  const market = await requireMarket(venueOf(principal.mode), marketId);
  const [first, second] = market.outcomes;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal.userId);
    const cash = await readCash(tx, account);
    const orders = await selectOrders(tx, { userId: principal.userId }, null, 1);
    return {
      availableUsdc: cash.available,
      approvedUsdc: approvedBeyond(cash, account.allowance),
      holdings: [
        await holdingOf(tx, account, first.tokenId),
        await holdingOf(tx, account, second.tokenId),
      ] as const,
      hasOrdered: orders.length > 0,
    };
  });
}

/** An unlimited allowance is more than a JSON number can say. */
function approvedBeyond({ held }: CashBalance, allowance: bigint | null): Usdc | null {
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
