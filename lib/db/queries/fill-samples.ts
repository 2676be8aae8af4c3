import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { buildSampleNumber, type Sampling } from "@/lib/db/sampling";
import type { Action } from "@/lib/domain/settlement";
import type { Owner } from "@/lib/ledger/accounts";
import { averagePrice, type Price, price, type Shares, shares, usdc } from "@/lib/units";

/** The fills of one outcome and action in the time from the sample before up to a sample. */
export interface FillSample {
  sample: number;
  tokenId: string;
  title: string;
  outcome: string;
  tick: Price;
  action: Action;
  fills: number;
  shares: Shares;
  averagePrice: Price;
  /** All fills of the sample, also of outcomes that are left out. */
  allFills: number;
}

interface Row {
  sample: number;
  token_id: string;
  title: string;
  outcome: string;
  tick: string;
  action: Action;
  fills: string;
  shares: string;
  notional: string;
  all_fills: string;
}

/**
 * Sums an account's paper fills per sample, outcome and action. Returns the `limit` largest sums of each
 * sample, so the number of rows does not depend on the number of fills.
 */
export async function selectFillSamples(
  tx: Tx,
  { userId, epoch }: Owner,
  sampling: Sampling,
  limit: number,
): Promise<FillSample[]> {
  const start = new Date(sampling.from - sampling.stepMs).toISOString();
  const rows = await selectRows<Row>(
    tx,
    sql`with summed as (
        select ${buildSampleNumber(sql`created_at`, sampling)} as sample, market_id, token_id, action,
          count(*) as fills, sum(shares_micro) as shares, sum(notional_micro) as notional
        from fills
        where user_id = ${userId} and epoch = ${epoch} and created_at > ${start}::timestamptz
        group by 1, 2, 3, 4),
      ranked as (
        select *, sum(fills) over (partition by sample) as all_fills,
          row_number() over (partition by sample order by notional desc, token_id, action) as rank
        from summed)
      select ranked.sample, ranked.token_id, market.title, ranked.action,
        case when market.first_token = ranked.token_id then market.first_outcome
          else market.second_outcome end as outcome,
        market.tick_micro::text as tick, ranked.fills::text as fills, ranked.shares::text as shares,
        ranked.notional::text as notional, ranked.all_fills::text as all_fills
      from ranked join markets market on market.id = ranked.market_id
      where ranked.rank <= ${limit}
      order by ranked.sample, ranked.rank`,
  );
  return rows.map((row) => ({
    sample: row.sample,
    tokenId: row.token_id,
    title: row.title,
    outcome: row.outcome,
    tick: price(BigInt(row.tick)),
    action: row.action,
    fills: Number(row.fills),
    shares: shares(BigInt(row.shares)),
    averagePrice: averagePrice(usdc(BigInt(row.notional)), shares(BigInt(row.shares))),
    allFills: Number(row.all_fills),
  }));
}
