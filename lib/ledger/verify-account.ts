import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { Owner } from "@/lib/ledger/accounts";
import { assert } from "@/lib/errors";

/** The ledger accounts of one owner, recomputed from their transfers. */
export interface AccountVerification {
  /** Transfers from or to one of the accounts. */
  transfers: number;
  accounts: number;
  /** Accounts whose stored balance is not the sum of their transfers. */
  mismatches: number;
}

/** Recomputes the balance of each of an owner's accounts, cash and tokens, from all of its transfers. */
export async function verifyAccount(tx: Tx, owner: Owner): Promise<AccountVerification> {
  const [row] = await selectRows<Record<keyof AccountVerification, string>>(
    tx,
    sql`with own as (
        select id, balance_micro from ledger_accounts
        where user_id = ${owner.userId} and epoch = ${owner.epoch}),
      entry as (
        select own.id as account, transfer.id, transfer.amount_micro as amount
        from own join ledger_transfers transfer on transfer.credit_account = own.id
        union all select own.id, transfer.id, -transfer.amount_micro
        from own join ledger_transfers transfer on transfer.debit_account = own.id),
      summed as (select account, sum(amount) as amount from entry group by account)
      select (select count(distinct id) from entry)::text as transfers,
        count(*)::text as accounts,
        (count(*) filter (where own.balance_micro <> coalesce(summed.amount, 0)))::text as mismatches
      from own left join summed on summed.account = own.id`,
  );
  assert(row, "an aggregate has one row");
  return {
    transfers: Number(row.transfers),
    accounts: Number(row.accounts),
    mismatches: Number(row.mismatches),
  };
}
