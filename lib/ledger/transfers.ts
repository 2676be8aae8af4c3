import "server-only";
import { sql } from "drizzle-orm";
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
 *
 * @param locked accounts that the transaction has locked already, by id.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly Transfer[],
  at: Date,
  locked: ReadonlyMap<string, bigint> = new Map(),
): Promise<void> {
  if (transfers.length === 0) return;
  for (const { id, debit, credit, amount } of transfers) {
    assert(debit.asset === credit.asset, `transfer ${id} keeps its asset`);
    assert(amount > 0n, `transfer ${id} moves something`);
  }
  const touched = transfers.flatMap(({ debit, credit }) => [debit, credit]);
  await lockAccounts(
    tx,
    touched.filter((account) => !locked.has(account.id)),
  );
  await tx.insert(ledgerTransfers).values(
    transfers.map(({ debit, credit, orderId, marketId, ...transfer }) => ({
      ...transfer,
      asset: debit.asset,
      debitAccount: debit.id,
      creditAccount: credit.id,
      orderId: orderId ?? null,
      marketId: marketId ?? null,
      createdAt: at,
    })),
  );
  await applyChanges(tx, netChanges(transfers));
}

/** What each account gains or loses, without those that end even. */
function netChanges(transfers: readonly Transfer[]): [string, bigint][] {
  const changes = new Map<string, bigint>();
  for (const { debit, credit, amount } of transfers) {
    changes.set(debit.id, (changes.get(debit.id) ?? 0n) - amount);
    changes.set(credit.id, (changes.get(credit.id) ?? 0n) + amount);
  }
  return [...changes].filter(([, change]) => change !== 0n);
}

async function applyChanges(tx: Tx, changes: readonly [string, bigint][]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(([id, change]) => sql`(${id}::text, ${change.toString()}::bigint)`);
  await tx.execute(sql`
    update ledger_accounts as account
    set balance_micro = account.balance_micro + change.amount
    from (values ${sql.join(rows, sql`, `)}) as change (id, amount)
    where account.id = change.id`);
}
