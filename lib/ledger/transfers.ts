import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, jsonOf, textArray, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers, type TRANSFER_KINDS } from "@/lib/db/schema/ledger";
import { assert } from "@/lib/errors";
import { type Account, available, LIVE_EPOCH, lockAccounts, USDC } from "@/lib/ledger/accounts";

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

/** Every account that the transfers touch, and the cash of every paper account among them. */
export function accountsOf(transfers: readonly Transfer[]): Account[] {
  return transfers.flatMap(({ debit, credit }) => [
    debit,
    credit,
    ...cashBehind(debit),
    ...cashBehind(credit),
  ]);
}

/** The row by which all that moves in a paper account is told apart: it is written every time. */
function cashBehind({ userId, epoch }: Account): Account[] {
  if (userId === null || epoch === null || epoch === LIVE_EPOCH) return [];
  return [available({ userId, epoch }, USDC)];
}

/**
 * What posting writes, for a transaction that has locked every account of the transfers.
 *
 * @param condition without which nothing is written.
 */
export function transferWrites(transfers: readonly Transfer[], at: Date, condition?: SQL): SQL[] {
  if (transfers.length === 0) return [];
  return [
    where(insertRows(ledgerTransfers, rowsOf(transfers, at)), condition),
    ...balanceWrites(netChanges(transfers), condition),
  ];
}

/**
 * What the first transfers of an order write, whose accounts may be new and need no lock before: of
 * each account either the balance may be negative, or it gains.
 */
export function firstTransferWrites(
  transfers: readonly Transfer[],
  at: Date,
  condition: SQL,
): SQL[] {
  const accounts = new Map(accountsOf(transfers).map((account) => [account.id, account]));
  const changes = netChanges(transfers).map(({ id, amount }) => ({ ...accounts.get(id), amount }));
  return [
    where(insertRows(ledgerTransfers, rowsOf(transfers, at)), condition),
    // Byte order, as everybody locks accounts.
    sql`insert into ledger_accounts as account (id, kind, asset, user_id, epoch, balance_micro)
      select change.id, change.kind, change.asset, change."userId", change.epoch, change.amount
      from json_to_recordset(${jsonOf(changes)}::text::json) as change
        (id text, kind text, asset text, "userId" text, epoch integer, amount bigint)
      where ${condition}
      order by change.id collate "C"
      on conflict (id) do update set balance_micro = account.balance_micro + excluded.balance_micro`,
  ];
}

const where = (write: SQL, condition: SQL | undefined): SQL =>
  condition ? sql`${write} where ${condition}` : write;

/** Transfers as their table keeps them. */
export function rowsOf(transfers: readonly Transfer[], at: Date): object[] {
  for (const { id, debit, credit, amount } of transfers) {
    assert(debit.asset === credit.asset, `transfer ${id} keeps its asset`);
    assert(amount > 0n, `transfer ${id} moves something`);
  }
  return transfers.map(({ debit, credit, orderId, marketId, ...transfer }) => ({
    ...transfer,
    asset: debit.asset,
    debitAccount: debit.id,
    creditAccount: credit.id,
    orderId: orderId ?? null,
    marketId: marketId ?? null,
    createdAt: at,
  }));
}

interface Change {
  id: string;
  amount: bigint;
}

/** What each account gains or loses, without those that end even and are nobody's cash. */
export function netChanges(transfers: readonly Transfer[]): Change[] {
  const changes = new Map<string, bigint>();
  const cash = new Set<string>();
  for (const { debit, credit, amount } of transfers) {
    changes.set(debit.id, (changes.get(debit.id) ?? 0n) - amount);
    changes.set(credit.id, (changes.get(credit.id) ?? 0n) + amount);
    for (const { id } of [...cashBehind(debit), ...cashBehind(credit)]) cash.add(id);
  }
  for (const id of cash) changes.set(id, changes.get(id) ?? 0n);
  return [...changes]
    .filter(([id, amount]) => amount !== 0n || cash.has(id))
    .map(([id, amount]) => ({ id, amount }));
}

function balanceWrites(changes: readonly Change[], condition?: SQL): SQL[] {
  if (changes.length === 0) return [];
  const also = condition ? sql` and ${condition}` : sql``;
  return [
    sql`update ledger_accounts as account
      set balance_micro = account.balance_micro + change.amount
      from json_to_recordset(${jsonOf(changes)}::text::json) as change (id text, amount bigint)
      where account.id = change.id
        and account.id = any(${textArray(changes.map(({ id }) => id))}::text::text[])${also}`,
  ];
}
