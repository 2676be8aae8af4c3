import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { failureReply, INTERFACE_HEADERS, toResponse } from "@/lib/api/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";

/** A handler for the operator's machines. The Node server serves it in front of Next. */
export interface OperatorHandler {
  (request: Request): Promise<Response>;
  operatorPath: string;
  operatorMethod: "GET" | "POST";
}

/**
 * Creates a handler for the operator's machines, such as a scheduler or a monitor, which send
 * `Authorization: Bearer CRON_SECRET`. Several calls can run at the same time.
 *
 * @param answer returns the response, or an object to send as JSON.
 */
export function operatorRoute(
  path: `/api/${string}`,
  answer: (request: Request) => Promise<object | Response>,
  operatorMethod: OperatorHandler["operatorMethod"] = "GET",
): OperatorHandler {
  const handler = async (request: Request): Promise<Response> => {
    const id = newId("req");
    if (!isOperator(request)) {
      const refusal = new AppError(
        "INVALID_API_KEY",
        "This route is for the operator. Send CRON_SECRET as the bearer.",
      );
      return toResponse(failureReply(refusal), id);
    }
    try {
      const result = await answer(request);
      if (result instanceof Response) return result;
      return Response.json(result, { headers: INTERFACE_HEADERS });
    } catch (error) {
      if (error instanceof AppError) return toResponse(failureReply(error), id);
      log.error("operator's route failed", { requestId: id, route: path, ...errorFields(error) });
      const failure = new AppError(
        "INTERNAL_ERROR",
        "The job failed. Its log line has the reason.",
      );
      return toResponse(failureReply(failure), id);
    }
  };
  return Object.assign(handler, { operatorPath: path, operatorMethod });
}

function isOperator(request: Request): boolean {
  const given = request.headers.get("authorization") ?? "";
  return timingSafeEqual(digest(given), digest(`Bearer ${env().CRON_SECRET}`));
}

const digest = (text: string) => createHash("sha256").update(text).digest();
