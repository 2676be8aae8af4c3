import "server-only";
import { readBearer } from "@/lib/auth/bearer";
import { AppError } from "@/lib/errors";
import { type ApiRequest, readRequest } from "@/lib/http/request";
import { failureReply, type Reply, toResponse } from "@/lib/http/respond";
import { findRoutes, ROUTES } from "@/lib/http/routes";
import { newId } from "@/lib/ids";

export const MAX_BODY_BYTES = 16 * 1024;
/** Paths that belong to the interface, in any spelling a router might take for them. */
export const API_PATH = /^\/+(?:api\/+)?(?:v1|health)(?:\/|$)/i;
const OPEN_PATHS: readonly string[] = Object.values(ROUTES)
  .filter((route) => route.access === "open")
  .map((route) => route.path);

/**
 * Refuses early what no handler would accept: undecodable URLs, missing or malformed bearers,
 * unknown paths, wrong methods, declared oversize. It can only refuse; the handler decides again,
 * in full. Null lets the request pass.
 */
export function gate(request: Request): Response | null {
  const refusal = refusalOf(readRequest(request));
  return refusal && toResponse(refusal, newId("req"));
}

/** The gate's refusal of a request that has been read; null lets it pass. */
export function refusalOf(request: ApiRequest): Reply | null {
  try {
    check(request);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failureReply(error);
  }
}

/** The public path of a request: rewrites add `/api`, which stays reachable as a second door. */
export function publicPath(pathname: string): string {
  return pathname.startsWith("/api/") ? pathname.slice("/api".length) : pathname;
}

/** The path by which a handler knows its operation, whoever mounted it: `app/api/ui` does too. */
export function operationPath(pathname: string): string {
  return pathname.startsWith("/api/ui/") ? pathname.slice("/api/ui".length) : publicPath(pathname);
}

function check(request: ApiRequest): void {
  const { pathname } = request;
  const decoded = decodePath(pathname);
  if (!API_PATH.test(decoded.replaceAll("\\", "/"))) return;
  const path = publicPath(pathname);
  if (!OPEN_PATHS.includes(path)) readBearer(request.headers);
  const found = findRoutes(request.method, path);
  if (!found) throw new AppError("ROUTE_NOT_FOUND", "there is no such path in this interface");
  if (!found.operation) {
    const allow = found.methods.join(", ");
    throw new AppError("METHOD_NOT_ALLOWED", `this path answers ${allow} only`, {
      headers: { allow },
    });
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

export function tooLarge(): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `a request body may have at most ${MAX_BODY_BYTES} bytes`,
  );
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw new AppError("MALFORMED_URL", "the path holds a percent sign that encodes nothing");
  }
}
