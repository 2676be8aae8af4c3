import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getSmallestApproval } from "@/lib/domain/allowance";
import { findPaperAccount } from "@/lib/ledger/read-paper-account";
import type { Balance } from "@/lib/schemas/account";
import { readLiveCash } from "@/lib/accounts/live-account";
import { walletNotFound } from "@/lib/accounts/require-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { Trader } from "@/lib/venue/trader";

/** Returns the addresses, the allowance and the cash owned, including cash that open buys reserve. */
export async function getBalance(principal: Principal): Promise<z.output<typeof Balance>> {
  if (principal.mode === "live") return getLiveBalance(principal.userId);
  const found = await findPaperAccount(principal.userId);
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

/** Returns the session key of a live wallet as a field of responses; no field if the owner's key signs. */
export function describeSessionKey({ sessionKey }: Pick<Trader, "sessionKey">) {
  return sessionKey && { sessionKey: { ...sessionKey, scopes: [...sessionKey.scopes] } };
}

async function getLiveBalance(userId: string): Promise<z.output<typeof Balance>> {
  const trader = await requireTrader(userId);
  const { owned, approvals } = await readLiveCash(trader);
  return {
    userId,
    address: trader.address,
    funderAddress: trader.funderAddress,
    balanceBaseUnit: owned,
    allowanceBaseUnit: getSmallestApproval(approvals),
    balanceUsdc: owned,
    ...describeSessionKey(trader),
  };
}
