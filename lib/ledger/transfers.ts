import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, isOneOf, toJsonRows, type NamedQuery, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers, type TRANSFER_KINDS } from "@/lib/db/schema/ledger";
import { assert } from "@/lib/errors";
import { buildEventInsert, type EventDraft, NO_CAUSE } from "@/lib/ledger/account-log";
import { type Account, available, held, USDC } from "@/lib/ledger/accounts";

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
 * | redeem | available shares to issuance; collateral to available USDC | `lib/exchange/redeem-position.ts`, `lib/ledger/wallet-transfers.ts` |
 * | split_position | available USDC to collateral; issuance to available shares of both outcomes | `lib/exchange/split-position.ts`, `lib/ledger/wallet-transfers.ts` |
 * | merge_positions | available shares of both outcomes to issuance; collateral to available USDC | the same |
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

/** What a transaction writes to the ledger: movements of money, and the events of their accounts. */
export interface Posting {
  transfers: readonly Transfer[];
  /** In the order of the log. The changes of the cash are added by the posting. */
  events: readonly EventDraft[];
}

interface PostingOptions {
  required?: readonly RequiredBalance[];
  /** If it is false, the statements write nothing. */
  condition?: SQL;
}

/**
 * Posts transfers and events and updates balances in the caller's transaction. Throws if a user's
 * account would become negative, or if an id was posted before. The transaction is then aborted.
 */
export async function post(tx: Tx, posting: Posting, at: Date): Promise<void> {
  await writeTogether(tx, buildPosting(posting, at));
}

/** Lists the accounts that a posting locks: those that it changes, and the owners' USDC accounts. */
export function listAccounts({ transfers, events }: Posting): Account[] {
  return [
    ...transfers.flatMap(({ debit, credit }) => [
      debit,
      credit,
      ...listCashAccounts(debit),
      ...listCashAccounts(credit),
    ]),
    ...events.flatMap(({ owner }) => listCashAccounts(owner)),
  ];
}

/** Lists the USDC accounts of a user. The available one counts the events of the user's account. */
function listCashAccounts({ userId, epoch }: Pick<Account, "userId" | "epoch">): Account[] {
  if (userId === null || epoch === null) return [];
  const owner = { userId, epoch };
  return [available(owner, USDC), held(owner, USDC)];
}

/**
 * Builds the statements of a posting. They lock or create its accounts, in the lock order of
 * `lockAccounts`, and number its events under the lock of the cash row.
 *
 * If an account of `required` has less than the required amount, its balance is set to -1, which the
 * table's check refuses. The transaction is then aborted, and the caller may retry it.
 */
export function buildPosting(
  posting: Posting,
  at: Date,
  { required = [], condition = sql`true` }: PostingOptions = {},
): (SQL | NamedQuery)[] {
  const { transfers } = posting;
  const amounts = computeNetChanges(transfers);
  const events = [...posting.events, ...draftCashEvents(posting, amounts)];
  if (transfers.length === 0 && events.length === 0) return [];
  const counts = countEvents(events);
  const needed = new Map(required.map(({ account, amount }) => [account.id, amount]));
  const accounts = new Map(listAccounts(posting).map((account) => [account.id, account]));
  const changes = [...accounts.values()].map((account) => ({
    ...account,
    amount: amounts.get(account.id) ?? 0n,
    needed: needed.get(account.id) ?? null,
    events: counts.get(account.id) ?? 0,
  }));
  return [
    ...(transfers.length > 0
      ? [sql`${insertRows(ledgerTransfers, toRows(transfers, at))} where ${condition}`]
      : []),
    {
      name: "change",
      query: sql`select * from json_to_recordset(${toJsonRows(changes)}::text::json) as given
        (id text, kind text, asset text, "userId" text, epoch integer, amount bigint, needed bigint,
          events integer)`,
    },
    {
      name: "locked",
      // Byte order, independent of the database's collation, so that all servers lock in one order.
      query: sql`select id, balance_micro, version from ledger_accounts
        where ${isOneOf(sql`id`, [...accounts.keys()])} and ${condition}
        order by id collate "C"
        for update`,
    },
    {
      name: "created",
      // A concurrent transaction that creates the same account commits before this insert continues.
      query: sql`insert into ledger_accounts as account
          (id, kind, asset, user_id, epoch, balance_micro, version, is_behind)
        select id, kind, asset, "userId", epoch, amount, events, false from change
        where not exists (select from locked where locked.id = change.id) and ${condition}
        order by id collate "C"
        on conflict (id) do update set balance_micro = account.balance_micro + excluded.balance_micro,
          version = account.version + excluded.version
        returning id, balance_micro as balance, version`,
    },
    sql`update ledger_accounts as account
      set balance_micro = case when account.balance_micro < change.needed then -1
          else account.balance_micro + change.amount end,
        version = account.version + change.events
      from locked join change on change.id = locked.id
      where account.id = locked.id and (change.amount <> 0 or change.events > 0)`,
    ...(events.length > 0
      ? [
          {
            name: "state",
            // The rows as locked, not as of the statement's start, which may be older.
            query: sql`select locked.id, locked.balance_micro + change.amount as balance,
                locked.version + change.events as version
              from locked join change on change.id = locked.id
              union all select id, balance, version from created`,
          },
          buildEventInsert(events, at),
        ]
      : []),
  ];
}

/** Drafts the last event of every user whose cash changes. It has the cause of the user's others. */
function draftCashEvents(
  { transfers, events }: Posting,
  amounts: ReadonlyMap<string, bigint>,
): EventDraft[] {
  const causes = new Map(events.map(({ owner, cause }) => [owner.userId, cause]));
  const drafts = new Map<string, EventDraft>();
  for (const { debit, credit } of transfers) {
    for (const { id, userId, epoch, asset } of [debit, credit]) {
      if (userId === null || epoch === null || asset !== USDC || !amounts.get(id)) continue;
      const cause = causes.get(userId) ?? NO_CAUSE;
      drafts.set(userId, { owner: { userId, epoch }, type: "balance.changed", data: null, cause });
    }
  }
  return [...drafts.values()];
}

function countEvents(events: readonly EventDraft[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { owner } of events) {
    const { id } = available(owner, USDC);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

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

/** Nets the transfers per account id. */
function computeNetChanges(transfers: readonly Transfer[]): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  for (const { debit, credit, amount } of transfers) {
    changes.set(debit.id, (changes.get(debit.id) ?? 0n) - amount);
    changes.set(credit.id, (changes.get(credit.id) ?? 0n) + amount);
  }
  return changes;
}
