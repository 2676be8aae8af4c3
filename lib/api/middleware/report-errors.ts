import "server-only";
import { readJson } from "@/lib/api/http/body";
import type { ApiContext, Middleware } from "@/lib/api/middleware/middleware";
import { reportError } from "@/lib/api/http/report-error";
import { failureReply, LOST_REPLY, withStatus } from "@/lib/api/http/respond";
import { env } from "@/lib/env";
import { AppError, LostResponse } from "@/lib/errors";
import {
  addKeyToMessage,
  generateIdempotencyKey,
  GeneratedKeyFailure,
} from "@/lib/orders/idempotency/generated-key";

/** Turns every error into the envelope. A 502 for an order without a key names the key it got. */
export const reportErrors: Middleware = async (context, next) => {
  try {
    return await next();
  } catch (error) {
    const isKeyed = error instanceof GeneratedKeyFailure;
    const failure: unknown = isKeyed ? error.cause : error;
    if (failure instanceof LostResponse) return LOST_REPLY;
    const advice =
      context.id === "placeOrder" ? "Repeat the request with the same idempotencyKey." : undefined;
    const reported = reportError(failure, context.fields, advice);
    const key = isKeyed ? error.idempotencyKey : await makeMissingKey(context, reported);
    const reply = failureReply(key === null ? reported : addKeyToMessage(reported, key));
    return reported.code === "RATE_LIMITED" ? withStatus(reply, env().RATE_LIMIT_STATUS) : reply;
  }
};

/**
 * An order that fails before its body is read, because the database is down for example, has no key
 * yet. Null if the request has a key, or is not an order.
 */
async function makeMissingKey(
  { id, request }: ApiContext,
  failure: AppError,
): Promise<string | null> {
  if (id !== "placeOrder" || failure.status !== 502) return null;
  const body: unknown = await readJson(request).catch(() => null);
  const isKeyless = typeof body === "object" && body !== null && !("idempotencyKey" in body);
  return isKeyless && request.headers.get("idempotency-key") === null
    ? generateIdempotencyKey()
    : null;
}
