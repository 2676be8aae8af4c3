import { AppError } from "@/lib/errors";
import { gate } from "@/lib/http/gate";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";

/** Whatever no route file answers: the gate's refusal, or a 404. */
function refuse(request: Request): Response {
  const missing = new AppError("ROUTE_NOT_FOUND", "there is no such path in this interface");
  return gate(request) ?? toResponse(failureReply(missing), newId("req"));
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
