import "server-only";
import { AppError } from "@/lib/errors";

/** Another request is placing the order of this key right now. */
export function inProgress(cause?: unknown): AppError {
  return new AppError(
    "ORDER_IN_PROGRESS",
    "an order with this idempotencyKey is being placed; repeat the request with the same key",
    { cause },
  );
}
