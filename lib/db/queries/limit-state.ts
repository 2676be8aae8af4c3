import "server-only";
import { eq, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import type { Freeze, LimitedSubject, LimitScope, LimitUsage } from "@/lib/domain/limits";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { readLimits } from "@/lib/schemas/limits";
import { usdc } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

const DAY_MS = 24 * 3600 * 1000;
const MINUTE_MS = 60_000;

/**
 * Thrown when limits apply to an order whose transaction has locked the user's row for sharing only.
 * Nothing was written; the caller starts again with the exclusive lock.
 */
export class LimitsApply extends Error {}

/**
 * Users that had limits when they last placed an order. Their next order takes the exclusive lock at
 * once. A wrong entry costs a wait or a second attempt, and nothing else.
 */
const limitedUsers = new LRUCache<string, true>({ max: 10_000 });

/**
 * Runs the transaction of an order. If limits apply to the user, it runs with the exclusive lock, so
 * that the orders of the user's keys are checked one after the other.
 */
export async function withLimitLock<T>(
  userId: string,
  work: (isExclusive: boolean) => Promise<T>,
): Promise<T> {
  if (env().DEFAULT_LIMITS || limitedUsers.has(userId)) return work(true);
  try {
    return await work(false);
  } catch (error) {
    if (!(error instanceof LimitsApply)) throw error;
  }
  limitedUsers.set(userId, true);
  return work(true);
}

/** Locks a user's row exclusively, so that no order of the user is placed until the transaction ends. */
export async function lockLimits(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** Which limits to read, and what counts against them. */
export interface LimitQuery {
  userId: string;
  mode: Mode;
  keyId: string | null;
  /** The market of `marketReserved` and `marketHeld`; null for the one with the most of both. */
  marketId: string | null;
  /** The service's clock, in milliseconds. */
  now: number;
}

/** Raw texts: amounts in micro-USDC, instants in milliseconds. */
interface RawUsage {
  today: string;
  oldest: number | null;
  lost: string;
  spent: string;
  reserved: string;
  market_reserved: string;
  held: string;
  market_held: string;
  open: number;
  minute: number;
  first: number | null;
}

interface RawRule {
  scope: LimitScope;
  limits: unknown;
  frozen_at: string | null;
  frozen_reason: string | null;
}

interface RawState {
  rules: RawRule[];
  key: RawUsage | null;
  account: RawUsage;
}

/**
 * Builds the statement that selects the limits of an order with their usage. It must start after the
 * user's row was locked: then it sees every order that was placed before.
 */
export function selectLimitState(query: LimitQuery): SQL {
  const { userId, mode, keyId } = query;
  const epoch = mode === "live" ? sql`${LIVE_EPOCH}::integer` : sql`owner.epoch`;
  const budget = sql`(select coalesce(api_keys.budget_id, api_keys.id) from api_keys
      where api_keys.id = ${keyId}::text)`;
  return sql`select json_build_object(
      'rules', (select coalesce(json_agg(json_build_object('scope', scope, 'limits', limits,
          'frozen_at', frozen_at, 'frozen_reason', frozen_reason)), '[]')
        from limit_rules where user_id = owner.id and (scope = 'user'
          or (scope = 'account' and subject = ${mode}::text)
          or (scope = 'key' and subject = owner.budget))),
      'key', case when owner.budget is not null then ${selectUsage(query, sql`owner.budget`)} end,
      'account', ${selectUsage(query, null)})::text as state
    from (select id, ${epoch} as epoch, ${budget} as budget
      from users as owner where id = ${userId}::text) as owner`;
}

/** Selects the usage of a budget, or of the whole account, as JSON. */
function selectUsage({ mode, marketId, now }: LimitQuery, budget: SQL | null): SQL {
  const ofBudget = (column: SQL) => (budget ? sql` and ${column} = ${budget}` : sql``);
  const day = sql`${new Date(now - DAY_MS - MINUTE_MS).toISOString()}::timestamptz`;
  const minute = sql`${new Date(now - MINUTE_MS).toISOString()}::timestamptz`;
  const ofKeys = budget
    ? sql` and placed.key_id in (select api_keys.id from api_keys
        where api_keys.user_id = owner.id and coalesce(api_keys.budget_id, api_keys.id) = ${budget})`
    : sql``;
  // Spelled like the predicates of the indexes over live orders. Only live accounts have the others.
  const isUnsettled =
    mode === "paper"
      ? sql`placed.status in ('open', 'delayed')`
      : sql`placed.status in ('pending', 'submitting', 'delayed', 'open', 'unknown')`;
  const inMarket = (column: SQL) =>
    marketId === null ? sql`true` : sql`${column} = ${marketId}::text`;
  return sql`(select json_build_object(
      'today', (select coalesce(sum(spent_micro), 0)::text from budget_minutes
        where user_id = owner.id and epoch = owner.epoch and minute > ${day}
          ${ofBudget(sql`budget_id`)}),
      'lost', (select greatest(0, coalesce(sum(lost_micro), 0))::text from budget_minutes
        where user_id = owner.id and epoch = owner.epoch and minute > ${day}
          ${ofBudget(sql`budget_id`)}),
      'oldest', (select extract(epoch from min(minute)) * 1000 from budget_minutes
        where user_id = owner.id and epoch = owner.epoch and minute > ${day} and (spent_micro > 0 or lost_micro > 0)
          ${ofBudget(sql`budget_id`)}),
      'spent', (select coalesce(sum(spent_micro), 0)::text from budget_holdings
        where user_id = owner.id and epoch = owner.epoch ${ofBudget(sql`budget_id`)}),
      'reserved', (select coalesce(sum(placed.held_micro) filter (where placed.action = 'BUY'), 0)::text
        from orders as placed where placed.user_id = owner.id and placed.epoch = owner.epoch
          and ${isUnsettled}${ofKeys}),
      'open', (select count(*) from orders as placed
        where placed.user_id = owner.id and placed.epoch = owner.epoch
          and ${isUnsettled}${ofKeys}),
      'held', (select coalesce(sum(cost_micro), 0)::text from (${selectHeld(ofBudget)}) as holding),
      'market_reserved', coalesce(fullest.reserved, 0)::text,
      'market_held', coalesce(fullest.held, 0)::text,
      'minute', recent.count,
      'first', recent.first)
    from (select count(*) as count, extract(epoch from min(placed.created_at)) * 1000 as first
        from orders as placed
        where placed.user_id = owner.id and placed.epoch = owner.epoch and placed.status <> 'rejected'
          and placed.created_at > ${minute}${ofKeys}) as recent
      left join (select sum(reserved) as reserved, sum(held) as held from (
          select placed.market_id, placed.held_micro as reserved, 0 as held
          from orders as placed
          where placed.user_id = owner.id and placed.epoch = owner.epoch and placed.action = 'BUY'
            and ${isUnsettled}${ofKeys}
          union all
          select market_id, 0, cost_micro from (${selectHeld(ofBudget)}) as holding
        ) as used
        where ${inMarket(sql`market_id`)}
        group by market_id
        order by sum(reserved) + sum(held) desc limit 1) as fullest on true)`;
}

/** Selects the holdings that are still at risk: not those of markets that are resolved or claimed. */
const selectHeld = (ofBudget: (column: SQL) => SQL) => sql`
  select holding.market_id, holding.cost_micro
  from budget_holdings as holding join markets on markets.id = holding.market_id
    left join positions as position on position.user_id = holding.user_id
      and position.epoch = holding.epoch and position.token_id = holding.token_id
  where holding.user_id = owner.id and holding.epoch = owner.epoch and holding.shares_micro > 0
    and markets.announced_at is null and coalesce(position.shares_micro, 1) > 0
    ${ofBudget(sql`holding.budget_id`)}`;

/** Decodes the row of `selectLimitState`: the subjects with limits or a freeze, the key's first. */
export function toLimitedSubjects([row]: readonly unknown[]): LimitedSubject[] {
  assert(row, "an authenticated user exists");
  const { rules, key, account } = JSON.parse((row as { state: string }).state) as RawState;
  const usages: Record<LimitScope, RawUsage | null> = { key, account, user: account };
  const order: readonly LimitScope[] = ["key", "account", "user"];
  const set = rules.map((rule) => ({
    scope: rule.scope,
    limits: readLimits(rule.limits),
    frozen: toFreeze(rule),
  }));
  const defaults = env().DEFAULT_LIMITS;
  const isSet = set.some(({ scope }) => scope === "user");
  const all =
    isSet || !defaults ? set : [...set, { scope: "user", limits: defaults, frozen: null } as const];
  return all
    .toSorted((one, other) => order.indexOf(one.scope) - order.indexOf(other.scope))
    .map((rule) => {
      const usage = usages[rule.scope];
      assert(usage, "a key has a usage");
      return { ...rule, usage: toUsage(usage) };
    });
}

function toFreeze({ frozen_at: at, frozen_reason: reason }: RawRule): Freeze | null {
  return at === null ? null : { at: new Date(at), reason: reason ?? "" };
}

function toUsage(raw: RawUsage): LimitUsage {
  return {
    spentToday: usdc(BigInt(raw.today)),
    // A minute counts as a whole, so that nothing comes back early.
    dayResetsAt: raw.oldest === null ? null : new Date(raw.oldest + MINUTE_MS + DAY_MS),
    lostToday: usdc(BigInt(raw.lost)),
    spent: usdc(BigInt(raw.spent)),
    reserved: usdc(BigInt(raw.reserved)),
    marketReserved: usdc(BigInt(raw.market_reserved)),
    held: usdc(BigInt(raw.held)),
    marketHeld: usdc(BigInt(raw.market_held)),
    openOrders: raw.open,
    ordersThisMinute: raw.minute,
    minuteResetsAt: raw.first === null ? null : new Date(raw.first + MINUTE_MS),
  };
}

/** Reads the limits of a caller with their usage. Reads nothing more for a user without limits. */
export async function readLimitedSubjects(tx: Tx, query: LimitQuery): Promise<LimitedSubject[]> {
  const [owner] = await tx
    .select({ isLimited: users.isLimited })
    .from(users)
    .where(eq(users.id, query.userId));
  if (!owner?.isLimited && !env().DEFAULT_LIMITS) return [];
  return toLimitedSubjects(await selectRows(tx, selectLimitState(query)));
}
