import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { readApproval, readLiveCash, readLiveShares } from "@/lib/accounts/live-account";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { Action } from "@/lib/domain/settlement";
import { remoteVenue } from "@/lib/venues";
import type { Shares, Usdc } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** The cash, and the shares of one token, that an order can use. */
export interface Funds {
  cash: { available: Usdc; held: Usdc };
  shares: { available: Shares; held: Shares };
  /** Base units that the market's exchange is allowed to spend; null while unknown. */
  allowance: bigint | null;
  /** Shares of the token that the market's exchange may move; null if unknown, and for a buy. */
  shareAllowance: bigint | null;
  /** Base units of the allowance that open buys on that exchange reserve. */
  allowanceUsed: bigint;
}

interface FundedOrder {
  action: Action;
  market: Market;
  tokenId: string;
}

/** Reads the funds of the caller's account for an order in one token. */
export async function readFunds(principal: Principal, order: FundedOrder): Promise<Funds> {
  if (principal.mode === "live") return readLiveFunds(principal.userId, order);
  const { tokenId } = order;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const cash = await readCash(tx, account);
    const shares = await readShares(tx, account, tokenId);
    const { allowance } = account;
    return { cash, shares, allowance, allowanceUsed: cash.held, shareAllowance: null };
  });
}

async function readLiveFunds(
  userId: string,
  { action, market, tokenId }: FundedOrder,
): Promise<Funds> {
  const trader = await requireTrader(userId);
  const isSell = action === "SELL";
  const [cash, shares, approval, shareAllowance] = await Promise.all([
    readLiveCash(trader),
    readLiveShares(trader, tokenId),
    readApproval(trader, market),
    isSell ? remoteVenue().getShareAllowance(trader, market, tokenId) : null,
  ]);
  const { allowance, used: allowanceUsed } = approval;
  return { cash, shares, allowance, allowanceUsed, shareAllowance };
}
