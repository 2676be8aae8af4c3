import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { isOneOf, toTextArray } from "@/lib/db/batch";
import { takeOrderTurn, tryOrderTurn } from "@/lib/db/queries/order-turn";
import type { OwnerRow } from "@/lib/db/queries/wallets";

interface LockRow {
  is_claimed: boolean;
  user_id: string | null;
  epoch: number | null;
  allowance: string | null;
  is_limited: boolean | null;
  is_market_locked: boolean;
}

/** The locks of an order's transaction. */
interface LockResult {
  /** Null if the user is unknown; nothing is locked then. */
  owner: OwnerRow | null;
  /** Whether limits or a freeze may apply to the owner. */
  isLimited: boolean;
  /** False while the market has no row. */
  isMarketLocked: boolean;
}

/**
 * Builds the first statement of an order: it inserts the claim, locks the user against a reset and a
 * change of limits, and locks the market. Each step depends on the one before, so all requests lock in
 * the same order. A request that waits for another request's claim holds no lock.
 *
 * @param claim an insert that returns a row, such as `insertClaims`.
 * @param isExclusive whether the user's other orders wait, because limits may apply.
 */
export function lockForOrder(
  claim: SQL,
  { userId, marketId, isExclusive }: { userId: string; marketId: string; isExclusive: boolean },
): SQL {
  const lock = sql.raw(isExclusive ? "no key update" : "share");
  return sql`with claimed as (${claim}), turn as (
          select ${takeOrderTurn(userId)} where exists (select from claimed)
        ), owner as (
          select users.id, users.epoch, users.is_limited, wallets.allowance::text as allowance
          from users join wallets on wallets.user_id = users.id
          where users.id = ${userId}::text and exists (select from turn)
          for ${lock} of users
        ), market as (
          select markets.id from markets
          where markets.id = ${marketId}::text and exists (select from owner)
          for update
        )
        select exists (select from claimed) as is_claimed, owner.id as user_id, owner.epoch,
          owner.allowance, owner.is_limited, exists (select from market) as is_market_locked
        from (select) once left join owner on true`;
}

/** Parses the result of the statement; null if another request holds the claim. */
export function toLockResult([row]: readonly unknown[]): LockResult | null {
  const locked = row as LockRow | undefined;
  if (!locked?.is_claimed) return null;
  const { user_id: id, epoch, allowance, is_market_locked: isMarketLocked } = locked;
  const isLimited = locked.is_limited === true;
  const isOwner = id !== null && epoch !== null;
  const spendable = allowance === null ? null : BigInt(allowance);
  const owner = isOwner ? { userId: id, epoch, allowance: spendable } : null;
  return { owner, isLimited, isMarketLocked };
}

interface LocksRow {
  owners: { id: string; epoch: number; is_limited: boolean; allowance: string | null }[] | null;
  markets: string[] | null;
}

/** The users and markets that `lockForOrders` locked. */
export interface Locks {
  /** The owners without limits, by id. */
  owners: ReadonlyMap<string, OwnerRow>;
  marketIds: ReadonlySet<string>;
}

/**
 * Builds the statement that locks the users and markets of several orders, as `lockForOrder` does for one.
 * It leaves out what another transaction has locked, so it never waits.
 */
export function lockForOrders(orders: readonly { userId: string; marketId: string }[]): SQL {
  const userIds = toTextArray(orders.map(({ userId }) => userId));
  const marketIds = orders.map(({ marketId }) => marketId);
  return sql`with turn as materialized (
          select wanted.id from unnest(${userIds}::text::text[]) as wanted (id)
          where ${tryOrderTurn(sql`wanted.id`)}
        ), owner as (
          select users.id, users.epoch, users.is_limited, wallets.allowance::text as allowance
          from users join wallets on wallets.user_id = users.id
          where users.id = any((select array_agg(id) from turn)::text[])
          for share of users skip locked
        ), market as (
          select markets.id from markets where ${isOneOf(sql`markets.id`, marketIds)}
          for update skip locked
        )
        select (select json_agg(owner) from owner) as owners,
          (select json_agg(market.id) from market) as markets`;
}

/** Parses the result of the statement. */
export function toLocks([row]: readonly unknown[]): Locks {
  const { owners, markets } = row as LocksRow;
  const found = (owners ?? []).filter((owner) => !owner.is_limited);
  return {
    owners: new Map(
      found.map(({ id, epoch, allowance }) => [
        id,
        { userId: id, epoch, allowance: allowance === null ? null : BigInt(allowance) },
      ]),
    ),
    marketIds: new Set(markets),
  };
}
