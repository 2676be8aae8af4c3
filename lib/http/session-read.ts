import "server-only";
import type { z } from "zod";
import { authenticateSession } from "@/lib/auth/session";
import type { Principal } from "@/lib/auth/principal";
import { countRequest } from "@/lib/auth/rate-limit";
import { isDatabaseUnavailable } from "@/lib/db/errors";
import { AppError } from "@/lib/errors";
import { countSession } from "@/lib/http/count-session";
import { failureReply, Reply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { successBody } from "@/lib/schemas/envelope";

/**
 * Makes a handler for a read that only the dashboard needs: same envelope as the interface, proven
 * by the session cookie, and nothing that changes anything.
 */
export function sessionRead<S extends z.ZodType>(
  response: S,
  read: (principal: Principal, query: URLSearchParams) => Promise<z.output<S>>,
): (request: Request) => Promise<Response> {
  const serve = async (request: Request) => {
    const requestId = newId("req");
    try {
      const principal = await authenticateSession(request);
      await countRequest(principal, "read");
      const data = await read(principal, new URL(request.url).searchParams);
      return toResponse(new Reply({ status: 200, body: successBody(response, data) }), requestId);
    } catch (error) {
      return toResponse(failureReply(toAppError(error, requestId)), requestId);
    }
  };
  return (request) => countSession(request, serve);
}

function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log.error("dashboard read failed", { requestId, ...errorFields(error) });
  if (isDatabaseUnavailable(error)) {
    return new AppError("DATABASE_UNAVAILABLE", "the database does not answer");
  }
  return new AppError(
    "INTERNAL_ERROR",
    `something went wrong on our side; the request id is ${requestId}`,
  );
}
