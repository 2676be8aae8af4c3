import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { PlacementRecord } from "@/lib/db/placement-record";
import { idempotencyKeys } from "@/lib/db/schema/trading";
import { assert } from "@/lib/errors";

export interface Claim {
  userId: string;
  keyHash: string;
  fingerprint: string;
  /** The fields of the fingerprint. An error names the one that differs. */
  fields: Record<string, string>;
  orderId: string;
  createdAt: Date;
}

export interface StoredClaim extends Claim {
  status: number | null;
  body: string | null;
}

const storedClaim = prepareOnce((tx) =>
  tx
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.userId, sql.placeholder("userId")),
        eq(idempotencyKeys.keyHash, sql.placeholder("keyHash")),
      ),
    )
    .prepare("stored_claim"),
);

export async function selectClaim(
  tx: Tx,
  userId: string,
  keyHash: string,
): Promise<StoredClaim | null> {
  const [row] = await storedClaim(tx).execute({ userId, keyHash });
  return row ?? null;
}

/**
 * Claims a key for this transaction. Waits while another transaction holds the claim, so that of any
 * number of equal requests one continues and the others find its response.
 *
 * @returns whether the key was free.
 */
export async function insertClaim(tx: Tx, claim: Claim): Promise<boolean> {
  const rows = await tx
    .insert(idempotencyKeys)
    .values({ ...claim, status: null, body: null })
    .onConflictDoNothing()
    .returning({ orderId: idempotencyKeys.orderId });
  return rows.length === 1;
}

/**
 * Returns the idempotency record of an order for the transaction of the paper exchange. Of any number
 * of equal requests, one inserts the claim, and the others wait for it and find its response.
 */
export function createPlacementRecord<Result>(
  claim: Claim,
  toAnswer: (result: Result) => { status: number; body: string },
): PlacementRecord<Result> {
  const { userId, keyHash, fingerprint, fields, orderId, createdAt } = claim;
  return {
    claim: sql`insert into idempotency_keys
        (user_id, key_hash, fingerprint, fields, order_id, created_at)
      values (${userId}::text, ${keyHash}::text, ${fingerprint}::text,
        ${JSON.stringify(fields)}::text::jsonb, ${orderId}::text,
        ${createdAt.toISOString()}::timestamptz)
      on conflict do nothing
      returning order_id`,
    storeResult: (result) => {
      const { status, body } = toAnswer(result);
      return sql`update idempotency_keys set status = ${status}::integer, body = ${body}::text
        where user_id = ${userId}::text and key_hash = ${keyHash}::text`;
    },
  };
}

/** Stores the response with the claim, in the transaction that decides it. */
export async function storeAnswer(
  tx: Tx,
  claim: Claim,
  answer: { status: number; body: string },
): Promise<void> {
  const rows = await tx
    .update(idempotencyKeys)
    .set(answer)
    .where(
      and(eq(idempotencyKeys.userId, claim.userId), eq(idempotencyKeys.keyHash, claim.keyHash)),
    )
    .returning({ orderId: idempotencyKeys.orderId });
  assert(rows.length === 1, "a response is stored with its claim");
}

/** Selects a user's claims by the hashes of their keys. */
export async function selectClaims(
  tx: Tx,
  userId: string,
  keyHashes: readonly string[],
): Promise<StoredClaim[]> {
  if (keyHashes.length === 0) return [];
  return tx
    .select()
    .from(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.userId, userId), inArray(idempotencyKeys.keyHash, [...keyHashes])),
    );
}
