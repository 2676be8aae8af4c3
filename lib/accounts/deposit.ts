import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { lockOwner } from "@/lib/db/queries/wallets";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { available, external, type Owner, USDC } from "@/lib/ledger/accounts";
import { type Cause, NO_CAUSE } from "@/lib/ledger/account-log";
import { post } from "@/lib/ledger/transfers";
import type { Usdc } from "@/lib/units";

/** Adds paper money to a user's account. */
export async function deposit(userId: string, amount: Usdc): Promise<void> {
  await withTransaction(async (tx) => {
    const owner = await lockOwner(tx, userId);
    if (!owner) throw new AppError("WALLET_NOT_FOUND", "This account has no wallet.");
    await postDeposit(tx, owner, amount);
  });
}

/** Posts a deposit to the ledger, unless the amount is zero. */
export async function postDeposit(tx: Tx, owner: Owner, amount: Usdc): Promise<void> {
  if (amount === 0n) return;
  await postNamedDeposit(tx, owner, { id: newId("dep"), amount });
}

/** Posts a deposit with the given id. A second one with the same id fails. */
export async function postNamedDeposit(
  tx: Tx,
  owner: Owner,
  { id, amount }: { id: string; amount: Usdc },
  cause: Cause = NO_CAUSE,
): Promise<void> {
  const line = {
    id,
    kind: "deposit",
    debit: external(owner),
    credit: available(owner, USDC),
    amount,
    groupId: id,
  } as const;
  const created = {
    owner,
    type: "deposit.created",
    data: { id, amount: amount.toString() },
    cause,
  } as const;
  await post(tx, { transfers: [line], events: [created] }, new Date(now()));
}
