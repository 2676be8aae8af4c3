import "server-only";
import { countAnswer } from "@/lib/services/ops/request-counts";

/** The paths of the dashboard's own reads. Other spellings of them are not told apart. */
const PLAIN_PATH = /^\/api\/ui\/[a-z.-]+$/;

/** Counts what the dashboard's own reads, downloads and streams are answered, and hands it on. */
export async function countSession(
  request: Request,
  serve: (request: Request) => Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  const response = await serve(request);
  const { pathname } = new URL(request.url);
  countAnswer({
    method: request.method,
    route: PLAIN_PATH.test(pathname) ? pathname : "other",
    caller: response.status === 401 ? "refused" : "session",
    status: response.status,
    seconds: (performance.now() - startedAt) / 1000,
  });
  return response;
}
