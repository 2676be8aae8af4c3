import "server-only";
import type { Middleware } from "@/lib/api/middleware/middleware";
import { countResponse } from "@/lib/ops/request-metrics";

/** Counts the response and its duration for the metrics. */
export const measureResponse: Middleware = async ({ operation, entry }, next) => {
  const startedAt = performance.now();
  const reply = await next();
  countResponse({
    method: operation.method,
    route: operation.path,
    caller: entry,
    status: reply.isLost ? null : reply.answer.status,
    seconds: (performance.now() - startedAt) / 1000,
  });
  return reply;
};
