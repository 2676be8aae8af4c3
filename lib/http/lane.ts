import "server-only";
import { gate, publicPath } from "@/lib/http/gate";
import { findRoutes, type OperationId } from "@/lib/http/routes";
import type { ApiHandler } from "@/lib/http/route";

/** What a route file exports: handlers under the names of methods. */
export type RouteModule = Record<string, unknown>;

export type Lane = (request: Request) => Promise<Response | null>;

/**
 * Serves the interface from the handlers of the route files, behind the same gate as Next. Null
 * means that the request is not for the interface.
 */
export function createLane(modules: readonly RouteModule[]): Lane {
  const handlers = new Map<OperationId, ApiHandler>();
  for (const module of modules) {
    for (const exported of Object.values(module)) {
      if (isApiHandler(exported)) handlers.set(exported.operationId, exported);
    }
  }
  return async (request) => {
    const refusal = gate(request);
    if (refusal) return refusal;
    const found = findRoutes(request.method, publicPath(new URL(request.url).pathname));
    const handler = found?.operation && handlers.get(found.operation.id);
    return handler ? handler(request) : null;
  };
}

function isApiHandler(value: unknown): value is ApiHandler {
  return typeof value === "function" && "operationId" in value;
}
