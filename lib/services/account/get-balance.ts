import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { readPaperAccount } from "@/lib/ledger/paper-account";
import type { Balance } from "@/lib/schemas/account";
import { readLiveCash } from "@/lib/services/account/live-account";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { walletNotFound } from "@/lib/services/account/require-account";

/** Addresses, allowance, and the cash owned: what open buys reserve is still owned. */
export async function getBalance(principal: Principal): Promise<z.output<typeof Balance>> {
  if (principal.mode === "live") return liveBalance(principal.userId);
  const found = await readPaperAccount(await getDb(), principal.userId);
  if (!found) throw walletNotFound("paper");
  const { account, cash } = found;
  return {
    userId: account.userId,
    address: account.address,
    funderAddress: account.funderAddress,
    balanceBaseUnit: cash.owned,
    allowanceBaseUnit: account.allowance,
    balanceUsdc: cash.owned,
  };
}

async function liveBalance(userId: string): Promise<z.output<typeof Balance>> {
  const trader = await requireTrader(userId);
  const { owned, allowance } = await readLiveCash(trader);
  return {
    userId,
    address: trader.address,
    funderAddress: trader.funderAddress,
    balanceBaseUnit: owned,
    allowanceBaseUnit: allowance,
    balanceUsdc: owned,
  };
}
