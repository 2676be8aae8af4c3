import "server-only";
import type { Tx } from "@/lib/db/database";
import { type AccountRow, selectAccount } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";

/** The user's account. Throws WALLET_NOT_FOUND when the user has no wallet. */
export async function requireAccount(tx: Tx, userId: string): Promise<AccountRow> {
  const account = await selectAccount(tx, userId);
  if (!account) throw new AppError("WALLET_NOT_FOUND", "this user has no wallet");
  return account;
}
