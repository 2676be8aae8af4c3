import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { Claim } from "@/lib/db/queries/idempotency";
import type { OwnerRow } from "@/lib/db/queries/wallets";

interface Entered {
  is_claimed: boolean;
  user_id: string | null;
  epoch: number | null;
  allowance: string | null;
  is_market_locked: boolean;
}

/** What entering a market found out. */
interface Entry {
  /** Null when the user is unknown; nothing is locked then. */
  owner: OwnerRow | null;
  /** False while the market has no row. */
  isMarketLocked: boolean;
}

/**
 * Begins an order in one statement: claims its key, then locks its user against a reset, then its
 * market. Each step asks whether the one before has happened, so the order is the same for all, and
 * whoever waits for another request's claim has locked nothing yet.
 */
export function claimAndLock(claim: Claim, marketId: string): SQL {
  const { userId, keyHash, fingerprint, fields, orderId, createdAt } = claim;
  return sql`with claimed as (
          insert into idempotency_keys
            (user_id, key_hash, fingerprint, fields, order_id, created_at)
          values (${userId}::text, ${keyHash}::text, ${fingerprint}::text,
            ${JSON.stringify(fields)}::text::jsonb, ${orderId}::text,
            ${createdAt.toISOString()}::timestamptz)
          on conflict do nothing
          returning order_id
        ), owner as (
          select users.id, users.epoch, wallets.allowance::text as allowance
          from users join wallets on wallets.user_id = users.id
          where users.id = ${userId}::text and exists (select from claimed)
          for share of users
        ), market as (
          select markets.id from markets
          where markets.id = ${marketId}::text and exists (select from owner)
          for update
        )
        select exists (select from claimed) as is_claimed, owner.id as user_id, owner.epoch,
          owner.allowance, exists (select from market) as is_market_locked
        from (select) once left join owner on true`;
}

/** What the statement found; null when the key was claimed before. */
export function toEntry([row]: readonly unknown[]): Entry | null {
  const entered = row as Entered | undefined;
  if (!entered?.is_claimed) return null;
  const { user_id: id, epoch, allowance, is_market_locked: isMarketLocked } = entered;
  const isOwner = id !== null && epoch !== null;
  const spendable = allowance === null ? null : BigInt(allowance);
  return { owner: isOwner ? { userId: id, epoch, allowance: spendable } : null, isMarketLocked };
}
