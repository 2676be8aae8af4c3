import "server-only";
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { PositionRow } from "@/lib/db/rows";
import { users } from "@/lib/db/schema/accounts";
import { fills, markets, positions } from "@/lib/db/schema/trading";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";

/**
 * Selects markets that may be resolved and whose holders were not told: simulated ones that resolve by
 * `at`, and those of Polymarket that were traded, which can be resolved before their expected end.
 */
export function selectUnannounced(
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ id: string; isSimulated: boolean }[]> {
  const isSimulated = isNotNull(markets.templateId);
  const wasTraded = sql`exists (select from ${fills} where ${fills.marketId} = ${markets.id})`;
  return tx
    .select({ id: markets.id, isSimulated: sql<boolean>`${isSimulated}` })
    .from(markets)
    .where(
      and(
        isNull(markets.announcedAt),
        or(
          and(isSimulated, lte(markets.resolvesAt, at)),
          and(isNull(markets.templateId), wasTraded),
        ),
      ),
    )
    .limit(limit);
}

/** Marks a market as announced. Returns false if another process has. */
export async function markAnnounced(tx: Tx, marketId: string, at: Date): Promise<boolean> {
  const marked = await tx
    .update(markets)
    .set({ announcedAt: at })
    .where(and(eq(markets.id, marketId), isNull(markets.announcedAt)))
    .returning({ id: markets.id });
  return marked.length === 1;
}

/**
 * Ends the holdings of a resolved market in the budgets that bought them: what they cost and no longer
 * return is a loss of the minute. The caller has locked the owners' cash rows.
 */
export async function settleBudgets(
  tx: Tx,
  { marketId, winner, at }: { marketId: string; winner: OutcomeIndex | null; at: Date },
): Promise<void> {
  const payout =
    winner === null
      ? sql`0.5`
      : sql`case when (held.token_id = markets.first_token) = ${winner === 0}::boolean then 1 else 0 end`;
  await tx.execute(sql`with ended as (
      update budget_holdings as held set shares_micro = 0, cost_micro = 0
      from budget_holdings as before join markets on markets.id = before.market_id
      where held.market_id = ${marketId}::text and held.shares_micro > 0
        and before.user_id = held.user_id and before.epoch = held.epoch
        and before.token_id = held.token_id and before.budget_id = held.budget_id
      returning held.user_id, held.epoch, held.budget_id,
        before.cost_micro - floor(before.shares_micro * ${payout}) as lost)
    insert into budget_minutes as had (user_id, epoch, minute, budget_id, spent_micro, lost_micro)
    select user_id, epoch, date_trunc('minute', ${at.toISOString()}::timestamptz, 'UTC'), budget_id, 0,
      sum(lost)
    from ended group by user_id, epoch, budget_id order by user_id, epoch, budget_id
    on conflict (user_id, epoch, minute, budget_id)
      do update set lost_micro = had.lost_micro + excluded.lost_micro`);
}

/** Selects the paper positions of a market with shares, in the current epochs. */
export async function selectHoldings(tx: Tx, marketId: string): Promise<PositionRow[]> {
  const rows = await tx
    .select({ position: positions })
    .from(positions)
    .innerJoin(users, and(eq(users.id, positions.userId), eq(users.epoch, positions.epoch)))
    .where(and(eq(positions.marketId, marketId), gt(positions.shares, sql`0`)));
  return rows.map(({ position }) => position);
}

/** Selects the live accounts whose trades through this service left them with shares of a market. */
export async function selectLiveHolders(tx: Tx, marketId: string): Promise<string[]> {
  const signed = sql`case ${fills.action} when 'BUY' then ${fills.shares} else - ${fills.shares} end`;
  const rows = await tx
    .select({ userId: fills.userId })
    .from(fills)
    .where(and(eq(fills.marketId, marketId), eq(fills.epoch, LIVE_EPOCH), isNotReversed()))
    .groupBy(fills.userId, fills.tokenId)
    .having(sql`sum(${signed}) > 0`);
  return [...new Set(rows.map(({ userId }) => userId))];
}
