import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { Claim } from "@/lib/db/queries/idempotency";
import type { OwnerRow } from "@/lib/db/queries/wallets";

interface Entered {
  is_claimed: boolean;
  user_id: string | null;
  epoch: number | null;
  allowance: string | null;
  is_market_locked: boolean;
}

/**
 * Begins an order in one statement: claims its key, then locks its user against a reset, then its
 * market. Each step asks whether the one before has happened, so the order is the same for all, and
 * whoever waits for another request's claim has locked nothing yet.
 *
 * @returns null when the key was claimed before. The owner is null when the user is unknown, and
 *   nothing is locked then; the market is not locked while it has no row.
 */
export async function claimAndLock(
  tx: Tx,
  claim: Claim,
  marketId: string,
): Promise<{ owner: OwnerRow | null; isMarketLocked: boolean } | null> {
  const { userId, keyHash, fingerprint, fields, orderId, createdAt } = claim;
  const [row] = await selectRows<Entered>(
    tx,
    sql`with claimed as (
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
        from (select) once left join owner on true`,
  );
  if (!row?.is_claimed) return null;
  const { user_id: id, epoch, allowance, is_market_locked: isMarketLocked } = row;
  const isOwner = id !== null && epoch !== null;
  const spendable = allowance === null ? null : BigInt(allowance);
  return { owner: isOwner ? { userId: id, epoch, allowance: spendable } : null, isMarketLocked };
}
