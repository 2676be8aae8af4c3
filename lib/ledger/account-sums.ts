import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { available, external, held, LIVE_EPOCH, type Owner, USDC } from "@/lib/ledger/accounts";
import { NO_USDC, type Usdc, usdc } from "@/lib/units";

/** Why cash entered or left an account. */
type Cause = "deposit" | "buy" | "sell" | "fee" | "payout";

/** The cash of an account by cause: amounts that entered it are positive. */
export type CashSums = Readonly<Record<Cause, CashSum>>;

interface CashSum {
  amount: Usdc;
  /** The number of deposits, trades or payouts. */
  events: number;
}

/**
 * Sums all transfers that changed an account's cash. The five amounts add up to the cash of a paper
 * account. Those of a live account are what its orders paid and received: the ledger doesn't know the
 * other changes of the wallet.
 */
export async function readCashSums(tx: Tx, owner: Owner): Promise<CashSums> {
  // A live account pays from the wallet on chain, and reserves from it.
  const wallet = owner.epoch === LIVE_EPOCH ? external(owner) : available(owner, USDC);
  const own = sql`(${wallet.id}, ${held(owner, USDC).id})`;
  const rows = await selectRows<{ cause: Cause; amount: string; events: string }>(
    tx,
    sql`select cause, sum(amount)::text as amount, count(distinct group_id)::text as events
      from (
        select group_id, case when credit_account in ${own} then amount_micro else -amount_micro end
            as amount,
          case when kind = 'deposit' then 'deposit' when kind = 'redeem' then 'payout'
            -- A reversal takes back a fill: the fee from the account of fees, cash from the house.
            when kind = 'fee' or (kind = 'reversal' and debit_account like 'fees/%') then 'fee'
            when (debit_account in ${own}) <> (kind = 'reversal') then 'buy' else 'sell' end as cause
        from ledger_transfers
        where (debit_account in ${own} or credit_account in ${own})
          and kind not in ('hold', 'release')
      ) moved
      group by cause`,
  );
  const sums = new Map(rows.map((row) => [row.cause, row]));
  const getSum = (cause: Cause): CashSum => {
    const row = sums.get(cause);
    return row
      ? { amount: usdc(BigInt(row.amount)), events: Number(row.events) }
      : { amount: NO_USDC, events: 0 };
  };
  return {
    deposit: getSum("deposit"),
    buy: getSum("buy"),
    sell: getSum("sell"),
    fee: getSum("fee"),
    payout: getSum("payout"),
  };
}
