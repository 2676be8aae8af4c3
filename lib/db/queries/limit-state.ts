import "server-only";
import { eq, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { takeLimitsTurn } from "@/lib/db/queries/order-turn";
import { users } from "@/lib/db/schema/accounts";
import {
  type Freeze,
  LIMIT_SCOPES,
  type LimitedSubject,
  type LimitName,
  type LimitScope,
  type LimitUsage,
} from "@/lib/domain/limits";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { readLimits } from "@/lib/schemas/limits";
import { larger, NO_USDC, usdc } from "@/lib/units";
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
  await tx.execute(sql`select ${takeLimitsTurn(userId)}`);
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** Which limits to read, and what counts against them. */
export interface LimitQuery {
  userId: string;
  mode: Mode;
  keyId: string | null;
  /** The market of `marketReserved` and `marketHeld`, which are 0 without one. */
  marketId: string | null;
  /** The service's clock, in milliseconds. */
  now: number;
}

/** An amount of the account, and the part of it that counts for the key's budget. */
type Pair<T> = [account: T, key: T];

/** Raw texts: amounts in micro-USDC, instants in milliseconds. Null if no limit needs it. */
interface RawState {
  rules: RawRule[];
  day: { spent: Pair<string>; lost: Pair<string>; oldest: Pair<number | null> } | null;
  bought: { spent: Pair<string>; held: Pair<string>; inMarket: Pair<string> } | null;
  open: { reserved: Pair<string>; inMarket: Pair<string>; count: Pair<number> } | null;
  minute: { count: Pair<number>; first: Pair<number | null> } | null;
}

interface RawRule {
  scope: LimitScope;
  limits: unknown;
  frozen_at: string | null;
  frozen_reason: string | null;
}

/** The limits that each part of the usage is read for. */
const NEEDED_FOR = {
  day: ["perDay", "dailyLoss"],
  bought: ["total", "openExposure", "perMarket"],
  open: ["perDay", "total", "openExposure", "perMarket", "maxOpenOrders"],
  minute: ["ordersPerMinute"],
} as const satisfies Record<string, readonly LimitName[]>;

/**
 * Builds the statement that selects the limits of an order with their usage. It must start after the
 * user's row was locked: then it sees every order that was placed before. It reads what the limits need
 * and nothing more, each table once.
 */
export function selectLimitState(query: LimitQuery): SQL {
  const { userId, mode, keyId } = query;
  const epoch = mode === "live" ? sql`${LIVE_EPOCH}::integer` : sql`users.epoch`;
  const whenNeeded = (part: keyof typeof NEEDED_FOR, usage: SQL) => {
    const names = NEEDED_FOR[part];
    const isDefault = names.some((name) => env().DEFAULT_LIMITS?.[name] !== undefined);
    const list = sql.raw(names.map((name) => `'${name}'`).join(", "));
    return sql`case when ${isDefault}::boolean
      or exists (select from rule where limits ?| array[${list}]) then ${usage} end`;
  };
  return sql`with budget as materialized (
      select coalesce(budget_id, id) as id from api_keys where id = ${keyId}::text
    ), owner as materialized (
      select users.id, ${epoch} as epoch, budget.id as budget, array(select api_keys.id from api_keys
          where api_keys.user_id = users.id and coalesce(budget_id, api_keys.id) = budget.id) as keys
      from users left join budget on true where users.id = ${userId}::text
    ), rule as materialized (
      select scope, limits, frozen_at, frozen_reason from limit_rules join owner on user_id = owner.id
      where scope = 'user' or (scope = 'account' and subject = ${mode}::text)
        or (scope = 'key' and subject = owner.budget)
    )
    select json_build_object(
      'rules', (select coalesce(json_agg(rule), '[]') from rule),
      'day', ${whenNeeded("day", selectDay(query))},
      'bought', ${whenNeeded("bought", selectBought(query))},
      'open', ${whenNeeded("open", selectOpen(query))},
      'minute', ${whenNeeded("minute", selectMinute(query))})::text as state
    from owner`;
}

function selectDay({ now }: LimitQuery): SQL {
  const since = sql`${new Date(now - DAY_MS - MINUTE_MS).toISOString()}::timestamptz`;
  const changed = sql`spent_micro > 0 or lost_micro > 0`;
  const isOwn = sql`budget_id = owner.budget`;
  const oldest = (condition: SQL) =>
    sql`extract(epoch from min(minute) filter (where ${condition})) * 1000`;
  return sql`(select json_build_object(
      'spent', ${sumPair(sql`spent_micro`, isOwn)},
      'lost', ${sumPair(sql`lost_micro`, isOwn)},
      'oldest', json_build_array(${oldest(changed)}, ${oldest(sql`(${changed}) and ${isOwn}`)}))
    from budget_minutes where user_id = owner.id and epoch = owner.epoch and minute > ${since})`;
}

/** Holdings are at risk until their market is resolved or they are claimed. */
function selectBought({ marketId }: LimitQuery): SQL {
  const isOwn = sql`holding.budget_id = owner.budget`;
  const isHeld = sql`holding.shares_micro > 0 and markets.announced_at is null
    and coalesce(position.shares_micro, 1) > 0`;
  const cost = sql`case when ${isHeld} then holding.cost_micro else 0 end`;
  return sql`(select json_build_object(
      'spent', ${sumPair(sql`holding.spent_micro`, isOwn)},
      'held', ${sumPair(cost, isOwn)},
      'inMarket', ${sumPair(sql`case when holding.market_id = ${marketId}::text then ${cost} end`, isOwn)})
    from budget_holdings as holding join markets on markets.id = holding.market_id
      left join positions as position on position.user_id = holding.user_id
        and position.epoch = holding.epoch and position.token_id = holding.token_id
    where holding.user_id = owner.id and holding.epoch = owner.epoch)`;
}

function selectOpen({ mode, marketId }: LimitQuery): SQL {
  const isOwn = sql`placed.key_id = any(owner.keys)`;
  const held = sql`case when placed.action = 'BUY' then placed.held_micro end`;
  return sql`(select json_build_object(
      'reserved', ${sumPair(held, isOwn)},
      'inMarket', ${sumPair(sql`case when placed.market_id = ${marketId}::text then ${held} end`, isOwn)},
      'count', json_build_array(count(*), count(*) filter (where ${isOwn})))
    from orders as placed
    where placed.user_id = owner.id and placed.epoch = owner.epoch and ${isUnsettled(mode)})`;
}

/** Spelled like the predicates of the indexes over orders. Only live accounts have the other statuses. */
const isUnsettled = (mode: Mode) =>
  mode === "paper"
    ? sql`(placed.status in ('open', 'delayed') or placed.status = 'pending_approval')`
    : sql`placed.status in ('pending', 'pending_approval', 'submitting', 'delayed', 'open', 'unknown')`;

function selectMinute({ now }: LimitQuery): SQL {
  const since = sql`${new Date(now - MINUTE_MS).toISOString()}::timestamptz`;
  const isOwn = sql`placed.key_id = any(owner.keys)`;
  const first = (condition: SQL) =>
    sql`extract(epoch from min(placed.created_at) filter (where ${condition})) * 1000`;
  return sql`(select json_build_object(
      'count', json_build_array(count(*), count(*) filter (where ${isOwn})),
      'first', json_build_array(${first(sql`true`)}, ${first(isOwn)}))
    from orders as placed
    where placed.user_id = owner.id and placed.epoch = owner.epoch and placed.created_at > ${since}
      and placed.status <> 'rejected')`;
}

const sumPair = (amount: SQL, isOwn: SQL) =>
  sql`json_build_array(coalesce(sum(${amount}), 0)::text,
    coalesce(sum(${amount}) filter (where ${isOwn}), 0)::text)`;

/**
 * Selects the market in which a budget, or the whole account, holds and reserves most; null if there is
 * none. For display: an order knows its market.
 */
export async function selectFullestMarket(
  tx: Tx,
  { userId, mode, keyId }: LimitQuery,
  isOfKey: boolean,
): Promise<string | null> {
  const epoch = mode === "live" ? sql`${LIVE_EPOCH}::integer` : sql`users.epoch`;
  const keys = sql`(select api_keys.id from api_keys join api_keys as own on own.id = ${keyId}::text
    where coalesce(api_keys.budget_id, api_keys.id) = coalesce(own.budget_id, own.id))`;
  const ofKeys = (column: SQL) => (isOfKey ? sql` and ${column} in ${keys}` : sql``);
  const [row] = await selectRows<{ market_id: string }>(
    tx,
    sql`select market_id from (
        select placed.market_id, placed.held_micro as amount
        from users join orders as placed on placed.user_id = users.id and placed.epoch = ${epoch}
        where users.id = ${userId}::text and placed.action = 'BUY'
          and ${isUnsettled(mode)}${ofKeys(sql`placed.key_id`)}
        union all
        select holding.market_id, holding.cost_micro
        from users join budget_holdings as holding on holding.user_id = users.id
            and holding.epoch = ${epoch}
          join markets on markets.id = holding.market_id
        where users.id = ${userId}::text and holding.shares_micro > 0
          and markets.announced_at is null${ofKeys(sql`holding.budget_id`)}
      ) as used
      group by market_id order by sum(amount) desc, market_id limit 1`,
  );
  return row?.market_id ?? null;
}

/** Decodes the row of `selectLimitState`: the subjects with limits or a freeze, the key's first. */
export function toLimitedSubjects([row]: readonly unknown[]): LimitedSubject[] {
  assert(row, "an authenticated user exists");
  const state = JSON.parse((row as { state: string }).state) as RawState;
  const set = state.rules.map((rule) => ({
    scope: rule.scope,
    limits: readLimits(rule.limits),
    frozen: toFreeze(rule),
  }));
  const defaults = env().DEFAULT_LIMITS;
  const isSet = set.some(({ scope }) => scope === "user");
  const all =
    isSet || !defaults ? set : [...set, { scope: "user", limits: defaults, frozen: null } as const];
  return all
    .toSorted((one, other) => LIMIT_SCOPES.indexOf(one.scope) - LIMIT_SCOPES.indexOf(other.scope))
    .map((rule) => ({ ...rule, usage: toUsage(state, rule.scope === "key" ? 1 : 0) }));
}

function toFreeze({ frozen_at: at, frozen_reason: reason }: RawRule): Freeze | null {
  return at === null ? null : { at: new Date(at), reason: reason ?? "" };
}

/** @param place of the account or of the key in the pairs. */
function toUsage({ day, bought, open, minute }: RawState, place: 0 | 1): LimitUsage {
  const amount = (pair: Pair<string> | undefined) => usdc(BigInt(pair?.[place] ?? 0));
  const after = (pair: Pair<number | null> | undefined, ms: number) => {
    const at = pair?.[place] ?? null;
    return at === null ? null : new Date(at + ms);
  };
  return {
    spentToday: amount(day?.spent),
    // A minute counts as a whole, so that nothing comes back early.
    dayResetsAt: after(day?.oldest, MINUTE_MS + DAY_MS),
    lostToday: larger(NO_USDC, amount(day?.lost)),
    spent: amount(bought?.spent),
    reserved: amount(open?.reserved),
    marketReserved: amount(open?.inMarket),
    held: amount(bought?.held),
    marketHeld: amount(bought?.inMarket),
    openOrders: open?.count[place] ?? 0,
    ordersThisMinute: minute?.count[place] ?? 0,
    minuteResetsAt: after(minute?.first, MINUTE_MS),
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
