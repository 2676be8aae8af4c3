import "server-only";
import type { z } from "zod";
import { readSessionQuery } from "@/lib/api/http/request";
import { Reply, toResponse } from "@/lib/api/http/respond";
import { serveSession } from "@/lib/api/serve-session";
import type { Principal } from "@/lib/auth/principal";
import { countRequest } from "@/lib/auth/rate-limit";
import { authenticateSession } from "@/lib/auth/session";
import { successBody } from "@/lib/schemas/envelope";

/**
 * Creates the handler of a read that only the dashboard needs. It has the envelope of the interface,
 * authenticates by the session cookie and changes nothing.
 */
export function sessionRead<S extends z.ZodType>(
  response: S,
  read: (principal: Principal, query: URLSearchParams) => Promise<z.output<S>>,
): (request: Request) => Promise<Response> {
  return (request) =>
    serveSession(request, async (requestId) => {
      const principal = await authenticateSession(request);
      await countRequest(principal, "read");
      const data = await read(principal, readSessionQuery(request));
      return toResponse(new Reply({ status: 200, body: successBody(response, data) }), requestId);
    });
}
