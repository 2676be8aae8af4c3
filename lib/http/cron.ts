import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";

/**
 * A job that a host's scheduler starts with `Authorization: Bearer CRON_SECRET`. It may be called at
 * any time and by several at once: what it does must bear that.
 */
export function cronJob(job: () => Promise<object>): (request: Request) => Promise<Response> {
  return async (request) => {
    const id = newId("req");
    if (!isScheduler(request)) {
      const refusal = new AppError("INVALID_API_KEY", "this route is the scheduler's");
      return toResponse(failureReply(refusal), id);
    }
    try {
      return Response.json(await job(), { headers: { "cache-control": "no-store" } });
    } catch (error) {
      log.error("scheduled job failed", { requestId: id, ...errorFields(error) });
      const failure = new AppError("INTERNAL_ERROR", "the job failed; its log line has the reason");
      return toResponse(failureReply(failure), id);
    }
  };
}

function isScheduler(request: Request): boolean {
  const given = request.headers.get("authorization") ?? "";
  return timingSafeEqual(digest(given), digest(`Bearer ${env().CRON_SECRET}`));
}

const digest = (text: string) => createHash("sha256").update(text).digest();
