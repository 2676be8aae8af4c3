import "server-only";
import { isWaitTooLong } from "@/lib/db/errors";
import { AppError } from "@/lib/errors";

/** Another request is placing the order of this key right now. */
export function inProgress(cause?: unknown): AppError {
  return new AppError(
    "ORDER_IN_PROGRESS",
    "an order with this idempotencyKey is being placed; repeat the request with the same key",
    { cause },
  );
}

/** Claims a key: who waits too long for another request's claim on it has done nothing. */
export async function orInProgress<T>(claim: () => Promise<T>): Promise<T> {
  try {
    return await claim();
  } catch (error) {
    if (isWaitTooLong(error)) throw inProgress(error);
    throw error;
  }
}
