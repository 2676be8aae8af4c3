import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { Owner } from "@/lib/ledger/accounts";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

/** A position without shares: sold, claimed, or closed at nothing. */
export interface ClosedPositionRow {
  tokenId: string;
  title: string;
  slug: string;
  icon: string;
  outcome: string;
  bought: Usdc;
  /** Shares of all buys. */
  shares: Shares;
  sold: Usdc;
  /** Null unless it was redeemed; 0 if it lost. */
  payout: Usdc | null;
  fees: Usdc;
  /** Before fees. */
  realizedPnl: Usdc;
  closedAt: Date;
}

/** Amounts and times are selected as text, which all drivers decode alike. */
interface Row {
  token_id: string;
  title: string;
  slug: string;
  icon: string;
  outcome: string;
  bought: string;
  shares: string;
  sold: string;
  payout: string | null;
  fees: string;
  realized: string;
  at_ms: string;
}

/** Selects one page of an account's closed positions, newest first, starting after `after`. */
export async function selectClosedPositions(
  tx: Tx,
  { userId, epoch }: Owner,
  after: { closedAt: Date; tokenId: string } | null,
  limit: number,
): Promise<ClosedPositionRow[]> {
  const older =
    after &&
    sql`and (updated_at, token_id) < (${after.closedAt.toISOString()}::timestamptz, ${after.tokenId})`;
  const rows = await selectRows<Row>(
    tx,
    sql`with closed as (
        select token_id, market_id, realized_pnl_micro, updated_at from positions
        where user_id = ${userId} and epoch = ${epoch} and shares_micro = 0 ${older ?? sql``}
        order by updated_at desc, token_id desc limit ${limit}),
      traded as (
        select token_id, sum(fee_micro) as fees,
          sum(notional_micro) filter (where action = 'BUY') as bought,
          sum(shares_micro) filter (where action = 'BUY') as shares,
          sum(notional_micro) filter (where action = 'SELL') as sold
        from fills
        where user_id = ${userId} and epoch = ${epoch}
          and market_id in (select market_id from closed)
        group by token_id)
      select closed.token_id, market.title, market.slug, market.icon,
        case when market.first_token = closed.token_id then market.first_outcome
          else market.second_outcome end as outcome,
        coalesce(traded.bought, 0)::text as bought, coalesce(traded.shares, 0)::text as shares,
        coalesce(traded.sold, 0)::text as sold, coalesce(traded.fees, 0)::text as fees,
        case when redeemed.id is not null then coalesce(paid.amount_micro, 0) end::text as payout,
        closed.realized_pnl_micro::text as realized,
        (extract(epoch from closed.updated_at) * 1000)::bigint::text as at_ms
      from closed join markets market on market.id = closed.market_id
        left join traded on traded.token_id = closed.token_id
        left join ledger_transfers redeemed on redeemed.id =
          'redeem/' || ${userId}::text || '/' || ${epoch}::int || '/' || closed.token_id || ':shares'
        left join ledger_transfers paid on paid.id = redeemed.group_id || ':cash'
      order by closed.updated_at desc, closed.token_id desc`,
  );
  return rows.map((row) => ({
    tokenId: row.token_id,
    title: row.title,
    slug: row.slug,
    icon: row.icon,
    outcome: row.outcome,
    bought: usdc(BigInt(row.bought)),
    shares: shares(BigInt(row.shares)),
    sold: usdc(BigInt(row.sold)),
    payout: row.payout === null ? null : usdc(BigInt(row.payout)),
    fees: usdc(BigInt(row.fees)),
    realizedPnl: usdc(BigInt(row.realized)),
    closedAt: new Date(Number(row.at_ms)),
  }));
}

export async function countClosedPositions(tx: Tx, { userId, epoch }: Owner): Promise<number> {
  const [row] = await selectRows<{ count: string }>(
    tx,
    sql`select count(*)::text as count from positions
        where user_id = ${userId} and epoch = ${epoch} and shares_micro = 0`,
  );
  return Number(row?.count ?? 0);
}
