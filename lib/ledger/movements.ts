import "server-only";
import { asc, eq, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import type { Movement } from "@/lib/domain/equity-curve";
import { available, type Owner, USDC } from "@/lib/ledger/accounts";

/** Evenly spaced instants: sample `n` is at `from + n * stepMs`. */
export interface Sampling {
  from: number;
  stepMs: number;
  /** At least two. */
  count: number;
}

interface MovementSums {
  asset: string;
  sample: number;
  amount: string;
  deposited: string;
}

/**
 * Everything that entered or left an account after the first sample, added up per asset and sample,
 * so that a busy account costs no more rows than a quiet one.
 */
export async function readMovements(
  tx: Tx,
  owner: Owner,
  { from, stepMs, count }: Sampling,
): Promise<Movement[]> {
  const start = new Date(from).toISOString();
  const legs = (side: "credit_account" | "debit_account", sign: 1 | -1) => sql`
    select account.asset, transfer.created_at, transfer.kind,
      transfer.amount_micro * ${sql.raw(String(sign))} as amount
    from ledger_accounts account
    join ledger_transfers transfer on transfer.${sql.raw(side)} = account.id
    where account.user_id = ${owner.userId} and account.epoch = ${owner.epoch}
      and transfer.kind not in ('hold', 'release') and transfer.created_at > ${start}::timestamptz`;
  const rows = await selectRows<MovementSums>(
    tx,
    sql`select asset, sample, sum(amount)::text as amount,
          coalesce(sum(amount) filter (where kind = 'deposit'), 0)::text as deposited
        from (
          select asset, kind, amount, least(${count - 1}::int,
            ceil((extract(epoch from created_at) * 1000 - ${from}::bigint) / ${stepMs}::bigint)::int
          ) as sample
          from (${legs("credit_account", 1)} union all ${legs("debit_account", -1)}) legs
        ) sampled
        group by asset, sample`,
  );
  return rows.map((row) => ({
    tokenId: row.asset === USDC ? null : row.asset,
    sample: row.sample,
    amount: BigInt(row.amount),
    deposited: BigInt(row.deposited),
  }));
}

/** When the first money came in; null while none has. */
export async function readFirstDeposit(tx: Tx, owner: Owner): Promise<Date | null> {
  const [row] = await tx
    .select({ at: ledgerTransfers.createdAt })
    .from(ledgerTransfers)
    .where(eq(ledgerTransfers.creditAccount, available(owner, USDC).id))
    .orderBy(asc(ledgerTransfers.sequence))
    .limit(1);
  return row?.at ?? null;
}
