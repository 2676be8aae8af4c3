import "server-only";
import { publicPath, refusalOf } from "@/lib/http/gate";
import type { OperatorHandler } from "@/lib/http/operator";
import type { ApiRequest } from "@/lib/http/request";
import { type Outgoing, type Reply, toOutgoing } from "@/lib/http/respond";
import { findRoutes, type OperationId, type RouteSpec } from "@/lib/http/routes";
import type { ApiHandler } from "@/lib/http/route";
import { createSandboxLane, type SandboxFile, type SandboxLane } from "@/lib/http/sandbox-lane";
import { newId } from "@/lib/ids";
import { countAnswer } from "@/lib/services/ops/request-counts";

/** What a route file exports: handlers under the names of methods. */
export type RouteModule = Record<string, unknown>;

/** Null means that the request is not for these. */
export interface Lane {
  /** What the interface answers. */
  answer: (request: ApiRequest) => Promise<Outgoing | null>;
  /** What the operator's machines are answered. */
  operate: (request: Request) => Promise<Response | null>;
  /** What the sandbox answers; its limits count by the last forwarded address. */
  rehearse: SandboxLane;
}

/**
 * Serves the interface, what the operator asks, and the sandbox from the handlers of the route files,
 * behind the same gate as Next.
 */
export function createLane(
  modules: readonly RouteModule[],
  sandbox: readonly SandboxFile[] = [],
): Lane {
  const handlers = new Map<OperationId, ApiHandler>();
  const operators = new Map<string, OperatorHandler>();
  for (const module of modules) {
    for (const exported of Object.values(module)) {
      if (isApiHandler(exported)) handlers.set(exported.operationId, exported);
      if (isOperatorHandler(exported)) operators.set(exported.operatorPath, exported);
    }
  }
  return {
    answer: async (request) => {
      const refusal = refusalOf(request);
      if (refusal) return refuse(request, refusal);
      const found = findRoutes(request.method, publicPath(request.pathname));
      const handler = found?.operation && handlers.get(found.operation.id);
      return handler ? handler.answer(request) : null;
    },
    operate: async (request) => {
      const handler = operators.get(new URL(request.url).pathname);
      return request.method === "GET" && handler ? handler(request) : null;
    },
    rehearse: createSandboxLane(sandbox),
  };
}

/** Counts a refusal under the route it was meant for; what is no route has one name for all. */
function refuse(request: ApiRequest, refusal: Reply): Outgoing {
  const { method, path } = meantRoute(request) ?? { method: "any", path: "none" };
  const { status } = refusal.answer;
  countAnswer({ method, route: path, caller: "refused", status, seconds: 0 });
  return toOutgoing(refusal, newId("req"));
}

function meantRoute({ method, pathname }: ApiRequest): RouteSpec | undefined {
  try {
    return findRoutes(method, publicPath(pathname))?.operation?.spec;
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
