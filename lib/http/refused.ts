import "server-only";
import { assert } from "@/lib/errors";
import { gate } from "@/lib/http/gate";

function refuse(request: Request): Response {
  const refusal = gate(request);
  assert(refusal, "a path has a handler for each of its methods");
  return refusal;
}

/**
 * What a path answers to the methods that it does not have. Next would answer them by itself,
 * without the envelope.
 */
export const refused = {
  GET: refuse,
  HEAD: refuse,
  OPTIONS: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
};
