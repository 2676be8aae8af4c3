import "server-only";
import { gate, publicPath } from "@/lib/http/gate";
import type { OperatorHandler } from "@/lib/http/operator";
import { findRoutes, type OperationId, type RouteSpec } from "@/lib/http/routes";
import type { ApiHandler } from "@/lib/http/route";
import { countAnswer } from "@/lib/services/ops/request-counts";

/** What a route file exports: handlers under the names of methods. */
export type RouteModule = Record<string, unknown>;

export type Lane = (request: Request) => Promise<Response | null>;

/**
 * Serves the interface, and what the operator asks, from the handlers of the route files, behind the
 * same gate as Next. Null means that the request is for neither.
 */
export function createLane(modules: readonly RouteModule[]): Lane {
  const handlers = new Map<OperationId, ApiHandler>();
  const operators = new Map<string, OperatorHandler>();
  for (const module of modules) {
    for (const exported of Object.values(module)) {
      if (isApiHandler(exported)) handlers.set(exported.operationId, exported);
      if (isOperatorHandler(exported)) operators.set(exported.operatorPath, exported);
    }
  }
  return async (request) => {
    const refusal = gate(request);
    if (refusal) return refuse(request, refusal);
    const { pathname } = new URL(request.url);
    const operator = request.method === "GET" && operators.get(pathname);
    if (operator) return operator(request);
    const found = findRoutes(request.method, publicPath(pathname));
    const handler = found?.operation && handlers.get(found.operation.id);
    return handler ? handler(request) : null;
  };
}

/** Counts a refusal under the route it was meant for; what is no route has one name for all. */
function refuse(request: Request, refusal: Response): Response {
  const { method, path } = meantRoute(request) ?? { method: "any", path: "none" };
  const status = refusal.status;
  countAnswer({ method, route: path, caller: "refused", status, seconds: 0 });
  return refusal;
}

function meantRoute(request: Request): RouteSpec | undefined {
  try {
    const { pathname } = new URL(request.url);
    return findRoutes(request.method, publicPath(pathname))?.operation?.spec;
  } catch {
    // It cannot be decoded, which is why it was refused.
    return undefined;
  }
}

function isOperatorHandler(value: unknown): value is OperatorHandler {
  return typeof value === "function" && "operatorPath" in value;
}

function isApiHandler(value: unknown): value is ApiHandler {
  return typeof value === "function" && "operationId" in value;
}
