import { AppError } from "@/lib/errors";
import { failureReply, toResponse } from "@/lib/api/http/respond";
import { newId } from "@/lib/ids";

/** Refuses every path under /api that has no route file. */
function refuse(): Response {
  const missing = new AppError("ROUTE_NOT_FOUND", "There is no such path in this interface.");
  return toResponse(failureReply(missing), newId("req"));
}

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
};
