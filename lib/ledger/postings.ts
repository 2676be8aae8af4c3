import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, jsonOf, type Named, textArray } from "@/lib/db/batch";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import type { Account } from "@/lib/ledger/accounts";
import { accountsOf, netChanges, rowsOf, type Transfer } from "@/lib/ledger/transfers";

/** What must be in an account for a posting to be right, and was there when it was looked at. */
export interface Need {
  account: Account;
  amount: bigint;
}

/**
 * What posting transfers writes, for a transaction that has locked no account: it locks them, in the
 * order in which everybody does, and makes those that there are not.
 *
 * An account that holds less than is needed of it becomes negative, which its table refuses. The
 * transaction is then lost, and may start over with what the account holds by now.
 */
export function postingWrites(
  transfers: readonly Transfer[],
  at: Date,
  need: Need | null = null,
): (SQL | Named)[] {
  if (transfers.length === 0) return [];
  const amounts = new Map(netChanges(transfers).map(({ id, amount }) => [id, amount]));
  const accounts = new Map(accountsOf(transfers).map((account) => [account.id, account]));
  const changes = [...accounts.values()].map((account) => ({
    ...account,
    amount: amounts.get(account.id) ?? null,
    needed: need?.account.id === account.id ? need.amount : null,
  }));
  return [
    insertRows(ledgerTransfers, rowsOf(transfers, at)),
    {
      name: "change",
      query: sql`select * from json_to_recordset(${jsonOf(changes)}::text::json) as given
        (id text, kind text, asset text, "userId" text, epoch integer, amount bigint, needed bigint)`,
    },
    {
      name: "locked",
      // Byte order, whatever the database's collation, so that every server locks alike.
      query: sql`select id from ledger_accounts
        where id = any((select ${textArray([...accounts.keys()])}::text::text[])::text[])
        order by id collate "C"
        for update`,
    },
    // Whoever makes an account meanwhile has committed it before this goes on.
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
