import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import type { AccountRef } from "@/lib/db/queries/mode";
import { type AccountRow, selectAccount } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Mode } from "@/lib/venue/port";

const MISSING = { paper: "this user has no wallet", live: "this user has no live wallet" } as const;

/** The account as the database knows it. Throws WALLET_NOT_FOUND when it has no wallet. */
export async function requireAccount(tx: Tx, { userId, mode }: AccountRef): Promise<AccountRow> {
  const account =
    mode === "live" ? await selectLiveAccount(tx, userId) : await selectAccount(tx, userId);
  if (!account) throw walletNotFound(mode);
  return account;
}

export function walletNotFound(mode: Mode): AppError {
  return new AppError("WALLET_NOT_FOUND", MISSING[mode]);
}

/** What the exchanges may spend of a live wallet, only the venue knows. */
async function selectLiveAccount(tx: Tx, userId: string): Promise<AccountRow | null> {
  const wallet = await selectLiveWallet(tx, userId);
  if (!wallet) return null;
  const { address, funderAddress } = wallet;
  return { userId, epoch: LIVE_EPOCH, address, funderAddress, allowance: null };
}
