import "server-only";
import { asc, eq, inArray, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { buildSampleNumber, type Sampling } from "@/lib/db/sampling";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import type { Movement } from "@/lib/domain/equity-curve";
import { available, type Owner, USDC } from "@/lib/ledger/accounts";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

interface MovementSums {
  asset: string;
  sample: number;
  amount: string;
  deposited: string;
}

/**
 * Reads what entered or left an account after the first sample, summed per asset and sample. The number
 * of rows does not depend on the number of transfers.
 */
export async function readMovements(tx: Tx, owner: Owner, sampling: Sampling): Promise<Movement[]> {
  const start = new Date(sampling.from).toISOString();
  const selectSide = (side: "credit_account" | "debit_account", sign: 1 | -1) => sql`
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
          select asset, kind, amount, ${buildSampleNumber(sql`created_at`, sampling)} as sample
          from (${selectSide("credit_account", 1)} union all ${selectSide("debit_account", -1)}) movements
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

/** Returns the time of the first deposit, or null without one. */
export async function readFirstDeposit(tx: Tx, owner: Owner): Promise<Date | null> {
  const [row] = await tx
    .select({ at: ledgerTransfers.createdAt })
    .from(ledgerTransfers)
    .where(eq(ledgerTransfers.creditAccount, available(owner, USDC).id))
    .orderBy(asc(ledgerTransfers.sequence))
    .limit(1);
  return row?.at ?? null;
}

/** A redeemed position. */
export interface RedemptionRecord {
  shares: Shares;
  /** 0 if the position lost. */
  payout: Usdc;
  at: Date;
}

/** Returns the shares and payouts of the positions that were redeemed, by token. */
export async function readRedemptions(
  tx: Tx,
  owner: Owner,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, RedemptionRecord>> {
  if (tokenIds.length === 0) return new Map();
  const groups = tokenIds.map((tokenId) => ({
    tokenId,
    group: `redeem/${owner.userId}/${owner.epoch}/${tokenId}`,
  }));
  const ids = groups.flatMap(({ group }) => [`${group}:shares`, `${group}:cash`]);
  const transfers = await tx
    .select({
      id: ledgerTransfers.id,
      amount: ledgerTransfers.amount,
      at: ledgerTransfers.createdAt,
    })
    .from(ledgerTransfers)
    .where(inArray(ledgerTransfers.id, ids));
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  return new Map(
    groups.flatMap(({ tokenId, group }) => {
      const redeemed = byId.get(`${group}:shares`);
      if (!redeemed) return [];
      const payout = usdc(byId.get(`${group}:cash`)?.amount ?? 0n);
      return [[tokenId, { shares: shares(redeemed.amount), payout, at: redeemed.at }] as const];
    }),
  );
}

/** The sums of an account's redeemed positions since an instant. */
export interface RedemptionSums {
  payout: Usdc;
  /** Positions that paid. */
  won: number;
  /** Positions that paid nothing. */
  lost: number;
}

/** Sums what an account redeemed from an instant on. */
export async function readRedemptionsSince(
  tx: Tx,
  owner: Owner,
  since: Date,
): Promise<RedemptionSums> {
  const [row] = await selectRows<{ payout: string; won: string; closed: string }>(
    tx,
    sql`select coalesce(sum(paid.amount_micro), 0)::text as payout, count(paid.id)::text as won,
          count(*)::text as closed
        from ledger_accounts account
        join ledger_transfers redeemed
          on redeemed.debit_account = account.id and redeemed.kind = 'redeem'
        left join ledger_transfers paid on paid.id = redeemed.group_id || ':cash'
        where account.user_id = ${owner.userId} and account.epoch = ${owner.epoch}
          and redeemed.created_at >= ${since.toISOString()}::timestamptz`,
  );
  const won = Number(row?.won ?? 0);
  return { payout: usdc(BigInt(row?.payout ?? 0)), won, lost: Number(row?.closed ?? 0) - won };
}
