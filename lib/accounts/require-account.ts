import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectAccount } from "@/lib/db/queries/users";
import type { AccountRow } from "@/lib/db/rows";
import { AppError } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Mode } from "@/lib/venue/port";

const MISSING = {
  paper: "This account has no wallet.",
  live: "This account has no live wallet.",
} as const;

/** Returns the stored account of a user. Throws WALLET_NOT_FOUND if it has no wallet. */
export async function requireAccount(tx: Tx, { userId, mode }: AccountRef): Promise<AccountRow> {
  const account =
    mode === "live" ? await selectLiveAccount(tx, userId) : await selectAccount(tx, userId);
  if (!account) throw walletNotFound(mode);
  return account;
}

export function walletNotFound(mode: Mode): AppError {
  return new AppError("WALLET_NOT_FOUND", MISSING[mode]);
}

/** The allowance of a live wallet is null because only the venue knows it. */
async function selectLiveAccount(tx: Tx, userId: string): Promise<AccountRow | null> {
  const wallet = await selectLiveWallet(tx, userId);
  if (!wallet) return null;
  const { address, funderAddress } = wallet;
  return { userId, epoch: LIVE_EPOCH, address, funderAddress, allowance: null };
}
