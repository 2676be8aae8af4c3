import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withSnapshot } from "@/lib/db/client";
import { selectReservingOrders } from "@/lib/db/queries/orders";
import type { AccountRow } from "@/lib/db/rows";
import { classifyAllowance, getSmallestApproval } from "@/lib/domain/allowance";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { readCash } from "@/lib/ledger/read-balances";
import type { Wallet } from "@/lib/schemas/wallet";
import { type LiveCash, readLiveCash } from "@/lib/accounts/live-account";
import { describeSessionKey } from "@/lib/accounts/get-balance";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { MAX_MICRO, usdc } from "@/lib/units";

/** Returns the caller's addresses, cash and allowance at one moment. */
export async function getWallet(principal: Principal): Promise<z.output<typeof Wallet>> {
  if (principal.mode === "live") return readLiveWallet(principal);
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    const live = await selectReservingOrders(tx, principal);
    return toWallet(account, cash, live.length);
  });
}

async function readLiveWallet(principal: Principal): Promise<z.output<typeof Wallet>> {
  const trader = await requireTrader(principal.userId);
  const [cash, live] = await Promise.all([
    readLiveCash(trader),
    selectReservingOrders(await getDb(), principal),
  ]);
  const account = { ...trader, epoch: LIVE_EPOCH, allowance: getSmallestApproval(cash.approvals) };
  return { ...toWallet(account, cash, live.length), ...describeSessionKey(trader) };
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
    allowanceState: classifyAllowance(allowance, owned),
    allowanceUsdc: allowance === null || allowance > MAX_MICRO ? null : usdc(allowance),
    epoch,
    openOrders,
  };
}
