import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { readApproval, readLiveCash, readLiveShares } from "@/lib/accounts/live-account";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { Shares, Usdc } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** The cash, and the shares of one token, that an order can use. */
export interface Funds {
  cash: { available: Usdc; held: Usdc };
  shares: { available: Shares; held: Shares };
  /** Base units that the market's exchange is allowed to spend; null while unknown. */
  allowance: bigint | null;
  /** Base units of the allowance that open buys on that exchange reserve. */
  allowanceUsed: bigint;
}

/** Reads the funds of the caller's account for an order in one token. */
export async function readFunds(
  principal: Principal,
  market: Market,
  tokenId: string,
): Promise<Funds> {
  if (principal.mode === "live") return readLiveFunds(principal.userId, market, tokenId);
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    const shares = await readShares(tx, account, tokenId);
    return { cash, shares, allowance: account.allowance, allowanceUsed: cash.held };
  });
}

async function readLiveFunds(userId: string, market: Market, tokenId: string): Promise<Funds> {
  const trader = await requireTrader(userId);
  const [cash, shares, approval] = await Promise.all([
    readLiveCash(trader),
    readLiveShares(trader, tokenId),
    readApproval(trader, market),
  ]);
  return { cash, shares, allowance: approval.allowance, allowanceUsed: approval.used };
}
