import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, isIn, toJsonRows, type NamedQuery, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers, type TRANSFER_KINDS } from "@/lib/db/schema/ledger";
import { assert } from "@/lib/errors";
import { type Account, available, LIVE_EPOCH, lockAccounts, USDC } from "@/lib/ledger/accounts";

/**
 * Which accounts a transfer debits and credits. Live accounts have the wallet on chain, `external`, in
 * place of `available`.
 *
 * | Kind | Money | Built in |
 * | --- | --- | --- |
 * | deposit | external to available | `lib/accounts/deposit.ts` |
 * | hold | available to held | `lib/exchange/market-update.ts`, `lib/ledger/live-transfers.ts` |
 * | release | held to available | the same |
 * | trade | held to the other party's available, or to and from the house | `lib/exchange/trade-transfers.ts`, `lib/ledger/live-transfers.ts` |
 * | fee | a buyer's held or a seller's available to fees | the same |
 * | mint | held USDC to collateral; issuance to available shares | `lib/exchange/trade-transfers.ts` |
 * | merge | held shares to issuance; collateral to available USDC | the same |
 * | redeem | available shares to issuance; collateral to available USDC | `lib/exchange/redeem-position.ts` |
 * | reversal | a live fill's transfers with the sides exchanged | `lib/ledger/live-transfers.ts` |
 */
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** One movement of one asset between two accounts, so debits always equal credits. */
export interface Transfer {
  /** Deterministic: derived from the economic event, so posting an event twice fails. */
  id: string;
  kind: TransferKind;
  debit: Account;
  credit: Account;
  amount: bigint;
  groupId: string;
  orderId?: string;
  marketId?: string;
}

/** A balance that an account was seen to have, and that the posting depends on. */
export interface RequiredBalance {
  account: Account;
  amount: bigint;
}

/**
 * Posts transfers and updates balances in the caller's transaction. Throws if a user's account would
 * become negative, or if an id was posted before. The transaction is then aborted.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly Transfer[],
  at: Date,
): Promise<void> {
  await lockAccounts(tx, listAccounts(transfers));
  await writeTogether(tx, buildLockedPosting(transfers, at));
}

/** Lists the accounts that the transfers change, and the USDC account of each paper account. */
export function listAccounts(transfers: readonly Transfer[]): Account[] {
  return transfers.flatMap(({ debit, credit }) => [
    debit,
    credit,
    ...findCashAccount(debit),
    ...findCashAccount(credit),
  ]);
}

/**
 * Finds the USDC account of a paper account. Every posting updates its row, because the row's version
 * is the version of the paper account.
 */
function findCashAccount({ userId, epoch }: Account): Account[] {
  if (userId === null || epoch === null || epoch === LIVE_EPOCH) return [];
  return [available({ userId, epoch }, USDC)];
}

/**
 * Builds the statements that post transfers and lock or create their accounts, in the lock order of
 * `lockAccounts`.
 *
 * If the account of `required` has less than the required amount, its balance is set to -1, which the
 * table's check refuses. The transaction is then aborted, and the caller may retry it.
 */
export function buildPosting(
  transfers: readonly Transfer[],
  at: Date,
  required: RequiredBalance | null = null,
): (SQL | NamedQuery)[] {
  if (transfers.length === 0) return [];
  const amounts = new Map(computeNetChanges(transfers).map(({ id, amount }) => [id, amount]));
  const accounts = new Map(listAccounts(transfers).map((account) => [account.id, account]));
  const changes = [...accounts.values()].map((account) => ({
    ...account,
    amount: amounts.get(account.id) ?? null,
    needed: required?.account.id === account.id ? required.amount : null,
  }));
  return [
    insertRows(ledgerTransfers, toRows(transfers, at)),
    {
      name: "change",
      query: sql`select * from json_to_recordset(${toJsonRows(changes)}::text::json) as given
        (id text, kind text, asset text, "userId" text, epoch integer, amount bigint, needed bigint)`,
    },
    {
      name: "locked",
      // Byte order, independent of the database's collation, so that all servers lock in one order.
      query: sql`select id from ledger_accounts
        where ${isIn(sql`id`, [...accounts.keys()])}
        order by id collate "C"
        for update`,
    },
    // A concurrent transaction that creates the same account commits before this insert continues.
    sql`insert into ledger_accounts as account (id, kind, asset, user_id, epoch, balance_micro)
      select id, kind, asset, "userId", epoch, coalesce(amount, 0) from change
      where not exists (select from locked where locked.id = change.id)
      order by id collate "C"
      on conflict (id) do update set balance_micro = account.balance_micro + excluded.balance_micro`,
    sql`update ledger_accounts as account
      set balance_micro = case when account.balance_micro < change.needed then -1
        else account.balance_micro + change.amount end
      from locked join change on change.id = locked.id
      where account.id = locked.id and change.amount is not null`,
  ];
}

/**
 * Builds the statements that post transfers whose accounts the transaction has locked.
 *
 * @param condition if it is false, the statements write nothing.
 */
export function buildLockedPosting(
  transfers: readonly Transfer[],
  at: Date,
  condition?: SQL,
): SQL[] {
  if (transfers.length === 0) return [];
  return [
    addCondition(insertRows(ledgerTransfers, toRows(transfers, at)), condition),
    ...updateBalances(computeNetChanges(transfers), condition),
  ];
}

/**
 * Builds the statements that post an order's first transfers. They need no lock, because every account
 * either may be negative or gains. Creates missing accounts.
 */
export function buildFirstPosting(transfers: readonly Transfer[], at: Date, condition: SQL): SQL[] {
  const accounts = new Map(listAccounts(transfers).map((account) => [account.id, account]));
  const changes = computeNetChanges(transfers).map(({ id, amount }) => ({
    ...accounts.get(id),
    amount,
  }));
  return [
    addCondition(insertRows(ledgerTransfers, toRows(transfers, at)), condition),
    // Byte order, as in `lockAccounts`.
    sql`insert into ledger_accounts as account (id, kind, asset, user_id, epoch, balance_micro)
      select change.id, change.kind, change.asset, change."userId", change.epoch, change.amount
      from json_to_recordset(${toJsonRows(changes)}::text::json) as change
        (id text, kind text, asset text, "userId" text, epoch integer, amount bigint)
      where ${condition}
      order by change.id collate "C"
      on conflict (id) do update set balance_micro = account.balance_micro + excluded.balance_micro`,
  ];
}

const addCondition = (write: SQL, condition: SQL | undefined): SQL =>
  condition ? sql`${write} where ${condition}` : write;

function toRows(transfers: readonly Transfer[], at: Date): object[] {
  for (const { id, debit, credit, amount } of transfers) {
    assert(debit.asset === credit.asset, `transfer ${id} keeps its asset`);
    assert(amount > 0n, `the amount of transfer ${id} is positive`);
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

/** Nets the transfers per account. Omits accounts without a change, except for USDC accounts. */
function computeNetChanges(transfers: readonly Transfer[]): Change[] {
  const changes = new Map<string, bigint>();
  const cash = new Set<string>();
  for (const { debit, credit, amount } of transfers) {
    changes.set(debit.id, (changes.get(debit.id) ?? 0n) - amount);
    changes.set(credit.id, (changes.get(credit.id) ?? 0n) + amount);
    for (const { id } of [...findCashAccount(debit), ...findCashAccount(credit)]) cash.add(id);
  }
  for (const id of cash) changes.set(id, changes.get(id) ?? 0n);
  return [...changes]
    .filter(([id, amount]) => amount !== 0n || cash.has(id))
    .map(([id, amount]) => ({ id, amount }));
}

function updateBalances(changes: readonly Change[], condition?: SQL): SQL[] {
  if (changes.length === 0) return [];
  const andCondition = condition ? sql` and ${condition}` : sql``;
  return [
    sql`update ledger_accounts as account
      set balance_micro = account.balance_micro + change.amount
      from json_to_recordset(${toJsonRows(changes)}::text::json) as change (id text, amount bigint)
      where account.id = change.id${andCondition}`,
  ];
}
