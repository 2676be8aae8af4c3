import "server-only";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { idempotencyKeys } from "@/lib/db/schema/trading";
import { assert } from "@/lib/errors";

export interface Claim {
  userId: string;
  keyHash: string;
  fingerprint: string;
  /** The fields behind the fingerprint, to name the one that differs. */
  fields: Record<string, string>;
  orderId: string;
  createdAt: Date;
}

export interface StoredClaim extends Claim {
  status: number | null;
  body: string | null;
}

export async function selectClaim(
  tx: Tx,
  userId: string,
  keyHash: string,
): Promise<StoredClaim | null> {
  const [row] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.keyHash, keyHash)));
  return row ?? null;
}

/**
 * Claims a key for this transaction. While another transaction holds the claim this waits for its
 * end, so of any number of equal requests one goes on and the others find its answer.
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

/** What keeps the answer with a claim of this transaction. */
export function answerWrite(claim: Claim, answer: { status: number; body: string }): SQL {
  return sql`update idempotency_keys set status = ${answer.status}::integer,
      body = ${answer.body}::text
    where user_id = ${claim.userId}::text and key_hash = ${claim.keyHash}::text`;
}

/** Keeps the answer with the claim, in the transaction that made it true. */
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
  assert(rows.length === 1, "an answer belongs to a claim");
}
