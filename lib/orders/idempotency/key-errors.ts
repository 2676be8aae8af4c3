import "server-only";
import { isClaimTimeout, isLockTimeout } from "@/lib/db/errors";
import { NoTurn } from "@/lib/db/turns";
import type { StoredClaim } from "@/lib/db/queries/idempotency";
import { AppError } from "@/lib/errors";
import { computeFingerprint } from "@/lib/orders/idempotency/fingerprint";

/** Creates the error for a key whose order another request is placing now. */
export function createOrderInProgress(cause?: unknown): AppError {
  return new AppError(
    "ORDER_IN_PROGRESS",
    "Another request with this idempotencyKey is in progress. Repeat the request with the same key.",
    { cause },
  );
}

/** Creates the error for an order that was not placed because it waited too long for a lock. */
function createLockTimeout(cause?: unknown): AppError {
  return new AppError(
    "UPSTREAM_TIMEOUT",
    "The order's market or account was busy for too long. The order was not placed. Try again.",
    { cause },
  );
}

/** Runs the transaction that claims a key. Maps its lock timeouts, after which nothing was written. */
export async function withClaimErrors<T>(claim: () => Promise<T>): Promise<T> {
  try {
    return await claim();
  } catch (error) {
    if (isClaimTimeout(error)) throw createOrderInProgress(error);
    if (isLockTimeout(error) || error instanceof NoTurn) throw createLockTimeout(error);
    throw error;
  }
}

/** Throws IDEMPOTENCY_KEY_REUSED if the key was used for an order with other fields. */
export function requireSameOrder(stored: StoredClaim, fields: Record<string, string>): void {
  if (stored.fingerprint === computeFingerprint(fields)) return;
  throw new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `This idempotencyKey was used for another order: ${findDifference(stored.fields, fields)} differs.`,
  );
}

const FIELD_ORDER = [
  "tokenId",
  "action",
  "orderType",
  "amount",
  "shares",
  "price",
  "tickSize",
  "timeInForce",
  "expiresAt",
  "postOnly",
  "mode",
] as const;

function findDifference(before: Record<string, string>, after: Record<string, string>): string {
  return FIELD_ORDER.find((name) => before[name] !== after[name]) ?? "a field";
}
