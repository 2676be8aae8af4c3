import "server-only";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { insertRows, isOneOf, toJsonRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import type { Claim, StoredAnswer } from "@/lib/db/placement-record";
import { prepareOnce } from "@/lib/db/prepare-once";
import { idempotencyKeys } from "@/lib/db/schema/trading";
import { assert } from "@/lib/errors";

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
 * Builds the insert of claims, which returns the order ids of those whose keys were free. Of any number of equal
 * requests, one inserts the claim, and the others wait for it and find its response. Claims are
 * inserted in one order, so that two transactions don't wait for each other.
 */
export function insertClaims(claims: readonly Claim[]): SQL {
  const sorted = claims.toSorted((one, other) =>
    one.userId + one.keyHash < other.userId + other.keyHash ? -1 : 1,
  );
  const rows = sorted.map((claim) => ({ ...claim, status: null, body: null }));
  return sql`${insertRows(idempotencyKeys, rows)} on conflict do nothing returning order_id`;
}

/** Builds the update that stores responses with claims of the same transaction. */
export function storeAnswers(answers: readonly { claim: Claim; answer: StoredAnswer }[]): SQL {
  const rows = answers.map(({ claim: { userId, keyHash }, answer }) => ({
    userId,
    keyHash,
    ...answer,
  }));
  return sql`update idempotency_keys as claim set status = answer.status, body = answer.body
    from json_to_recordset(${toJsonRows(rows)}::text::json)
      as answer ("userId" text, "keyHash" text, status integer, body text)
    where claim.user_id = answer."userId" and claim.key_hash = answer."keyHash"
      and ${isOneOf(
        sql`claim.user_id`,
        rows.map(({ userId }) => userId),
      )}
      and ${isOneOf(
        sql`claim.key_hash`,
        rows.map(({ keyHash }) => keyHash),
      )}`;
}

/** Builds the delete of claims of the same transaction. Their keys are free again after it. */
export function deleteClaims(claims: readonly Claim[]): SQL {
  return sql`delete from idempotency_keys where ${isOneOf(
    sql`user_id`,
    claims.map(({ userId }) => userId),
  )}
    and ${isOneOf(
      sql`key_hash`,
      claims.map(({ keyHash }) => keyHash),
    )}
    and ${isOneOf(
      sql`order_id`,
      claims.map(({ orderId }) => orderId),
    )}`;
}

/** Stores the response with the claim, in the transaction that decides it. */
export async function storeAnswer(tx: Tx, claim: Claim, answer: StoredAnswer): Promise<void> {
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
