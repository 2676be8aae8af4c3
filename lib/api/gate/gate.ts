import "server-only";
import { type FoundOperation, findOperation, listMethods } from "@/lib/api/gate/find-operation";
import { OPERATIONS } from "@/lib/api/operations";
import { MAX_BODY_BYTES, tooLarge } from "@/lib/api/http/body";
import { API_PATH, type ApiRequest, publicPath } from "@/lib/api/http/request";
import { failureReply, Reply } from "@/lib/api/http/respond";
import { type Bearer, readBearer } from "@/lib/auth/bearer";
import { AppError } from "@/lib/errors";
import { countResponse } from "@/lib/ops/request-metrics";

/** Any other path needs a key, even an unknown one. */
const OPEN_PATHS: readonly string[] = Object.values(OPERATIONS)
  .filter(({ access }) => access === "open")
  .map(({ path }) => path);

/** The gate's decision about a request. */
export type GateResult =
  /** The path is outside the interface. */
  | { outcome: "other" }
  | { outcome: "refused"; reply: Reply }
  | { outcome: "passed"; found: FoundOperation; bearer: Bearer | null };

/**
 * Refuses early what no handler accepts: undecodable URLs, missing or malformed keys, unknown paths,
 * wrong methods, declared oversize. It also replies to OPTIONS. `proxy.ts` calls it on Next, and the
 * router on the Node server. It never grants anything: the handler decides again, in full.
 */
export function gate(request: ApiRequest): GateResult {
  try {
    return check(request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(request, failureReply(error));
  }
}

function check(request: ApiRequest): GateResult {
  const { method, pathname, headers } = request;
  const decoded = decodePath(pathname);
  if (!API_PATH.test(decoded.replaceAll("\\", "/"))) return { outcome: "other" };
  const path = publicPath(pathname);
  const bearer = OPEN_PATHS.includes(path) ? null : readBearer(headers);
  const found = findOperation(method, path);
  if (!found) return refuseMethod(request, path);
  if (Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return { outcome: "passed", found, bearer };
}

/** Refuses a method that the path doesn't have. OPTIONS only lists the methods. */
function refuseMethod(request: ApiRequest, path: string): GateResult {
  const methods = listMethods(path);
  if (methods.length === 0) {
    throw new AppError("ROUTE_NOT_FOUND", "There is no such path in this interface.");
  }
  const allow = methods.join(", ");
  if (request.method === "OPTIONS") {
    const body = JSON.stringify({ ok: true, data: { allow: methods } });
    return refuse(request, new Reply({ status: 200, body }, { allow }));
  }
  throw new AppError("METHOD_NOT_ALLOWED", `This path allows ${allow} only.`, {
    headers: { allow },
  });
}

/** Counts the refusal under its operation; requests without one share a name. */
function refuse(request: ApiRequest, reply: Reply): GateResult {
  const { method, path } = findCounted(request)?.operation ?? { method: "any", path: "none" };
  const { status } = reply.answer;
  countResponse({ method, route: path, caller: "refused", status, seconds: 0 });
  return { outcome: "refused", reply };
}

function findCounted({ method, pathname }: ApiRequest): FoundOperation | null {
  try {
    return findOperation(method, publicPath(pathname));
  } catch {
    // The path cannot be decoded, which is why the request was refused.
    return null;
  }
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw new AppError("MALFORMED_URL", "The path has a percent sign that encodes nothing.");
  }
}
