import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";

/** A handler for the operator's own machines; the Node server serves it in front of Next. */
export interface OperatorHandler {
  (request: Request): Promise<Response>;
  operatorPath: string;
}

/**
 * Makes the handler of a GET for the operator's machines, such as a scheduler or a monitor: proven
 * by `Authorization: Bearer CRON_SECRET`. It may be called at any time and by several at once, and
 * what it does must bear that.
 *
 * @param answer gives what is sent as JSON, or the response itself.
 */
export function operatorRoute(
  path: `/api/${string}`,
  answer: () => Promise<object | Response>,
): OperatorHandler {
  const handler = async (request: Request): Promise<Response> => {
    const id = newId("req");
    if (!isOperator(request)) {
      const refusal = new AppError("INVALID_API_KEY", "this route is the operator's");
      return toResponse(failureReply(refusal), id);
    }
    try {
      const result = await answer();
      if (result instanceof Response) return result;
      return Response.json(result, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      log.error("operator's route failed", { requestId: id, route: path, ...errorFields(error) });
      const failure = new AppError("INTERNAL_ERROR", "the job failed; its log line has the reason");
      return toResponse(failureReply(failure), id);
    }
  };
  return Object.assign(handler, { operatorPath: path });
}

function isOperator(request: Request): boolean {
  const given = request.headers.get("authorization") ?? "";
  return timingSafeEqual(digest(given), digest(`Bearer ${env().CRON_SECRET}`));
}

const digest = (text: string) => createHash("sha256").update(text).digest();
