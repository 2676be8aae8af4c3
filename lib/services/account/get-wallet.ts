import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withSnapshot } from "@/lib/db/client";
import { selectLiveOrders } from "@/lib/db/queries/orders";
import type { AccountRow } from "@/lib/db/queries/users";
import { allowanceState } from "@/lib/domain/allowance";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { readCash } from "@/lib/ledger/balances";
import type { Wallet } from "@/lib/schemas/wallet";
import { type LiveCash, readLiveCash } from "@/lib/services/account/live-account";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { requireAccount } from "@/lib/services/account/require-account";
import { MAX_MICRO, usdc } from "@/lib/units";

/** Addresses, cash and allowance of the caller, from one moment. */
export async function getWallet(principal: Principal): Promise<z.output<typeof Wallet>> {
  if (principal.mode === "live") return liveWallet(principal);
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    const live = await selectLiveOrders(tx, principal);
    return toWallet(account, cash, live.length);
  });
}

async function liveWallet(principal: Principal): Promise<z.output<typeof Wallet>> {
  const trader = await requireTrader(principal.userId);
  const [cash, live] = await Promise.all([
    readLiveCash(trader),
    selectLiveOrders(await getDb(), principal),
  ]);
  const account = { ...trader, epoch: LIVE_EPOCH, allowance: cash.allowance };
  return toWallet(account, cash, live.length);
}

function toWallet(
  { userId, address, funderAddress, allowance, epoch }: AccountRow,
  { owned, available, held }: Pick<LiveCash, "owned" | "available" | "held">,
  openOrders: number,
): z.output<typeof Wallet> {
  return {
    userId,
    address,
    funderAddress,
    balanceBaseUnit: owned,
    allowanceBaseUnit: allowance,
    balanceUsdc: owned,
    availableUsdc: available,
    reservedUsdc: held,
    allowanceState: allowanceState(allowance, owned),
    allowanceUsdc: allowance === null || allowance > MAX_MICRO ? null : usdc(allowance),
    epoch,
    openOrders,
  };
}
