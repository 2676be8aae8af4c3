import "server-only";
import { gate } from "@/lib/api/gate/gate";
import type { OperationId } from "@/lib/api/operations";
import type { OperatorHandler } from "@/lib/api/operator";
import type { ApiRequest } from "@/lib/api/http/request";
import { type Outgoing, toOutgoing } from "@/lib/api/http/respond";
import type { ApiHandler } from "@/lib/api/route";
import { newId } from "@/lib/ids";

/** The exports of a route file: handlers, named by method. */
export type RouteModule = Record<string, unknown>;

/** The router in front of Next. Each function returns null for a request that is not its own. */
export interface ApiRouter {
  /** Handles a request to the API. */
  answer: (request: ApiRequest) => Promise<Outgoing | null>;
  /** Handles a request to an operator endpoint, such as health and metrics. */
  operate: (request: Request) => Promise<Response | null>;
}

/**
 * Creates the router of the API and the operator endpoints from the handlers of the route files.
 * Requests pass the same gate as in Next.
 */
export function createRouter(modules: readonly RouteModule[]): ApiRouter {
  const handlers = new Map<OperationId, ApiHandler>();
  const operators = new Map<string, OperatorHandler>();
  for (const module of modules) {
    for (const exported of Object.values(module)) {
      if (isApiHandler(exported)) handlers.set(exported.operationId, exported);
      if (isOperatorHandler(exported)) {
        operators.set(`${exported.operatorMethod} ${exported.operatorPath}`, exported);
      }
    }
  }
  return {
    answer: async (request) => {
      const result = gate(request);
      if (result.outcome === "refused") return toOutgoing(result.reply, newId("req"));
      if (result.outcome === "other") return null;
      const { found, bearer } = result;
      return handlers.get(found.id)?.answer(request, { params: found.params, bearer }) ?? null;
    },
    operate: async (request) => {
      const handler = operators.get(`${request.method} ${new URL(request.url).pathname}`);
      return handler ? handler(request) : null;
    },
  };
}

function isOperatorHandler(value: unknown): value is OperatorHandler {
  return typeof value === "function" && "operatorPath" in value;
}

function isApiHandler(value: unknown): value is ApiHandler {
  return typeof value === "function" && "operationId" in value;
}
