import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { limitRules } from "@/lib/db/schema/limits";
import type { LimitScope } from "@/lib/domain/limits";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { type Usdc, usdc } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

export type LimitRuleRow = typeof limitRules.$inferSelect;
export type LimitRuleId = Pick<LimitRuleRow, "userId" | "scope" | "subject">;

export async function selectLimitRule(
  tx: Tx,
  { userId, scope, subject }: LimitRuleId,
): Promise<LimitRuleRow | null> {
  const [row] = await tx
    .select()
    .from(limitRules)
    .where(
      and(
        eq(limitRules.userId, userId),
        eq(limitRules.scope, scope),
        eq(limitRules.subject, subject),
      ),
    );
  return row ?? null;
}

/** Selects every rule of a user. */
export function selectLimitRules(tx: Tx, userId: string): Promise<LimitRuleRow[]> {
  return tx.select().from(limitRules).where(eq(limitRules.userId, userId));
}

/**
 * Writes a rule and whether limits apply to the user. The caller has locked the user's row with
 * `lockLimits`.
 */
export async function writeLimitRule(tx: Tx, row: LimitRuleRow): Promise<void> {
  const { limits, frozenAt, frozenReason, updatedAt } = row;
  await tx
    .insert(limitRules)
    .values(row)
    .onConflictDoUpdate({
      target: [limitRules.userId, limitRules.scope, limitRules.subject],
      set: { limits, frozenAt, frozenReason, updatedAt },
    });
  const { userId } = row;
  await tx
    .update(users)
    .set({
      isLimited: sql`exists (select from limit_rules where user_id = ${userId}::text
        and (limits <> '{}'::jsonb or frozen_at is not null))`,
    })
    .where(eq(users.id, userId));
}

/** A rule whose limit dailyLoss is reached, with the loss in micro-USDC. */
export interface ReachedLoss extends LimitRuleId {
  lost: Usdc;
  limit: Usdc;
}

/**
 * Selects the rules that lost as much as they may after `since`, and are not frozen. A revoked key places
 * nothing anyway.
 */
export async function selectReachedLosses(tx: Tx, since: Date): Promise<ReachedLoss[]> {
  const rows = await selectRows<{
    user_id: string;
    scope: LimitScope;
    subject: string;
    lost: string;
    most: string;
  }>(
    tx,
    sql`select rule.user_id, rule.scope, rule.subject, total.lost::text, total.most::text
      from limit_rules as rule join users on users.id = rule.user_id
        cross join lateral (
          select ((rule.limits ->> 'dailyLoss')::numeric * 1000000)::bigint as most,
            sum(minutes.lost_micro) as lost
          from budget_minutes as minutes
          where minutes.user_id = rule.user_id and minutes.minute > ${since.toISOString()}::timestamptz
            and minutes.epoch in (${LIVE_EPOCH}::integer, users.epoch)
            and (rule.scope <> 'key' or minutes.budget_id = rule.subject)
            and (rule.scope <> 'account'
              or (minutes.epoch = ${LIVE_EPOCH}::integer) = (rule.subject = 'live'))
          group by case when rule.scope = 'user' then minutes.epoch end
        ) as total
      where rule.limits ? 'dailyLoss' and rule.frozen_at is null and total.lost >= total.most
        and (rule.scope <> 'key' or exists (select from api_keys
          where api_keys.user_id = rule.user_id and api_keys.revoked_at is null
            and coalesce(api_keys.budget_id, api_keys.id) = rule.subject))`,
  );
  return rows.map(({ user_id: userId, scope, subject, lost, most }) => ({
    userId,
    scope,
    subject,
    lost: usdc(BigInt(lost)),
    limit: usdc(BigInt(most)),
  }));
}

/** An open order whose key, account or user is frozen. */
export interface FrozenOrder {
  id: string;
  marketId: string;
  userId: string;
  mode: Mode;
}

/**
 * Selects open orders that a freeze cancels, of one user or of all, at most `limit`, and counts all of them.
 * The reconciler goes on with live orders whose cancel was requested.
 */
export async function selectFrozenOrders(
  tx: Tx,
  { userId, limit }: { userId?: string; limit: number },
): Promise<{ orders: FrozenOrder[]; total: number }> {
  const ofUser = userId === undefined ? sql`` : sql` and rule.user_id = ${userId}::text`;
  const rows = await selectRows<{
    id: string;
    market_id: string;
    user_id: string;
    mode: Mode;
    total: number;
  }>(
    tx,
    sql`select *, (count(*) over ())::integer as total from (select distinct placed.id, placed.market_id, placed.user_id,
          case when placed.epoch = 0 then 'live' else 'paper' end as mode
        from limit_rules as rule join orders as placed on placed.user_id = rule.user_id
          and (placed.status in ('open', 'delayed') or placed.status = 'pending_approval')
          left join api_keys on api_keys.id = placed.key_id
        where rule.frozen_at is not null${ofUser}
          and not exists (select from remote_orders
            where order_id = placed.id and cancel_requested_at is not null)
          and (rule.scope = ${"user" satisfies LimitScope}::text
          or (rule.scope = ${"account" satisfies LimitScope}::text
            and rule.subject = case when placed.epoch = 0 then 'live' else 'paper' end)
          or (rule.scope = ${"key" satisfies LimitScope}::text
            and rule.subject = coalesce(api_keys.budget_id, api_keys.id)))) as frozen
        limit ${limit}::integer`,
  );
  const orders = rows.map(({ id, mode, market_id: marketId, user_id: owner }) => ({
    id,
    mode,
    marketId,
    userId: owner,
  }));
  return { orders, total: rows[0]?.total ?? 0 };
}
