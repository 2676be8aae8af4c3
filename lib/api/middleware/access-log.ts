import "server-only";
import type { Middleware } from "@/lib/api/middleware/middleware";
import { recordRequest } from "@/lib/api/middleware/request-log";
import type { Reply } from "@/lib/api/http/respond";
import { now } from "@/lib/clock";
import { publicPath } from "@/lib/api/http/request";
import { log } from "@/lib/log";
import { Failure } from "@/lib/schemas/envelope";
import { withoutSecrets } from "@/lib/without-secrets";

/** A caller chooses the length of an id in the path. */
const MAX_PATH = 200;

/**
 * Logs each request, and records a key's request for its owner: without query and body, and
 * with the message of a refusal.
 */
export const writeAccessLog: Middleware = async (context, next) => {
  const { fields, request, requestId } = context;
  const startedAt = performance.now();
  const reply = await next();
  fields.durationMs = Math.round(performance.now() - startedAt);
  if (!reply.isLost) fields.status = reply.answer.status;
  log.info("request", fields);
  const { userId, keyId, method, status, code, durationMs } = fields;
  if (userId && keyId) {
    recordRequest({
      id: requestId,
      userId,
      keyId,
      method: method ?? request.method,
      path: withoutSecrets(publicPath(request.pathname)).slice(0, MAX_PATH),
      status: status ?? null,
      errorCode: code ?? null,
      message: readRefusal(reply),
      durationMs,
      orderId: readOrderId(reply),
      createdAt: new Date(now()),
    });
  }
  return reply;
};

/** More of a message is cut. It quotes what the caller sent. */
const MAX_MESSAGE = 500;

/** Returns the message of a 4xx response without secrets, which a caller can put anywhere. */
function readRefusal({ answer }: Reply): string | null {
  if (answer.status < 400 || answer.status >= 500) return null;
  const refusal = Failure.safeParse(JSON.parse(answer.body));
  return refusal.success ? withoutSecrets(refusal.data.error.message).slice(0, MAX_MESSAGE) : null;
}

/** Returns the id of the order that a placement names; null for other responses. */
function readOrderId({ headers }: Reply): string | null {
  return /^\/v1\/orders\/(ord_\w+)$/.exec(headers["location"] ?? "")?.[1] ?? null;
}
