import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, jsonOf, textArray, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers, type TRANSFER_KINDS } from "@/lib/db/schema/ledger";
import { assert } from "@/lib/errors";
import { type Account, lockAccounts } from "@/lib/ledger/accounts";

export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** One movement of one asset. It cannot be unbalanced: what is debited is credited. */
export interface Transfer {
  /** Deterministic: the same economic event always makes the same id. */
  id: string;
  kind: TransferKind;
  debit: Account;
  credit: Account;
  amount: bigint;
  groupId: string;
  orderId?: string;
  marketId?: string;
}

/**
 * Posts transfers and moves the balances with them, in the caller's transaction. Throws when a
 * user's account would become negative or an id was posted before; the transaction is then lost.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly Transfer[],
  at: Date,
): Promise<void> {
  await lockAccounts(tx, accountsOf(transfers));
  await writeTogether(tx, transferWrites(transfers, at));
}

/** Every account that the transfers touch. */
export function accountsOf(transfers: readonly Transfer[]): Account[] {
  return transfers.flatMap(({ debit, credit }) => [debit, credit]);
}

/** What posting writes, for a transaction that has locked every account of the transfers. */
export function transferWrites(transfers: readonly Transfer[], at: Date): SQL[] {
  if (transfers.length === 0) return [];
  for (const { id, debit, credit, amount } of transfers) {
    assert(debit.asset === credit.asset, `transfer ${id} keeps its asset`);
    assert(amount > 0n, `transfer ${id} moves something`);
  }
  const rows = transfers.map(({ debit, credit, orderId, marketId, ...transfer }) => ({
    ...transfer,
    asset: debit.asset,
    debitAccount: debit.id,
    creditAccount: credit.id,
    orderId: orderId ?? null,
    marketId: marketId ?? null,
    createdAt: at,
  }));
  return [insertRows(ledgerTransfers, rows), ...balanceWrites(netChanges(transfers))];
}

interface Change {
  id: string;
  amount: bigint;
}

/** What each account gains or loses, without those that end even. */
function netChanges(transfers: readonly Transfer[]): Change[] {
  const changes = new Map<string, bigint>();
  for (const { debit, credit, amount } of transfers) {
    changes.set(debit.id, (changes.get(debit.id) ?? 0n) - amount);
    changes.set(credit.id, (changes.get(credit.id) ?? 0n) + amount);
  }
  return [...changes].flatMap(([id, amount]) => (amount === 0n ? [] : [{ id, amount }]));
}

function balanceWrites(changes: readonly Change[]): SQL[] {
  if (changes.length === 0) return [];
  return [
    sql`update ledger_accounts as account
      set balance_micro = account.balance_micro + change.amount
      from json_to_recordset(${jsonOf(changes)}::text::json) as change (id text, amount bigint)
      where account.id = change.id
        and account.id = any(${textArray(changes.map(({ id }) => id))}::text::text[])`,
  ];
}
