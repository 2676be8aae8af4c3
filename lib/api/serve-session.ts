import "server-only";
import { reportError } from "@/lib/api/http/report-error";
import { failureReply, toResponse } from "@/lib/api/http/respond";
import { newId } from "@/lib/ids";
import { countResponse } from "@/lib/ops/request-metrics";

/** The dashboard's own paths. All other spellings are counted under one name. */
const PLAIN_PATH = /^\/api\/ui\/[a-z.-]+$/;

/** Serves a request of the dashboard: turns errors into the envelope and counts the response. */
export async function serveSession(
  request: Request,
  serve: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  const requestId = newId("req");
  const { pathname } = new URL(request.url);
  const route = PLAIN_PATH.test(pathname) ? pathname : "other";
  const { method } = request;
  let response: Response;
  try {
    response = await serve(requestId);
  } catch (error) {
    response = toResponse(
      failureReply(reportError(error, { requestId, method, route })),
      requestId,
    );
  }
  countResponse({
    method,
    route,
    caller: response.status === 401 ? "refused" : "session",
    status: response.status,
    seconds: (performance.now() - startedAt) / 1000,
  });
  return response;
}
