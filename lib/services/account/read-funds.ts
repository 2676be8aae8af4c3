import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash, readShares } from "@/lib/ledger/balances";
import { readLiveCash, readLiveShares } from "@/lib/services/account/live-account";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { requireAccount } from "@/lib/services/account/require-account";
import type { Shares, Usdc } from "@/lib/units";

/** What an order may use: free and reserved cash, and shares of its token. */
export interface Funds {
  cash: { available: Usdc; held: Usdc };
  shares: { available: Shares; held: Shares };
  /** Base units that the exchange may spend; null while unknown. */
  allowance: bigint | null;
}

/** Reads what the caller's account has for an order of a token. */
export async function readFunds(principal: Principal, tokenId: string): Promise<Funds> {
  if (principal.mode === "live") return liveFunds(principal.userId, tokenId);
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    const shares = await readShares(tx, account, tokenId);
    return { cash, shares, allowance: account.allowance };
  });
}

async function liveFunds(userId: string, tokenId: string): Promise<Funds> {
  const trader = await requireTrader(userId);
  const [cash, shares] = await Promise.all([readLiveCash(trader), readLiveShares(trader, tokenId)]);
  return { cash, shares, allowance: cash.allowance };
}
