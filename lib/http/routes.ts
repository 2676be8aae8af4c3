import type { Scope } from "@/lib/auth/principal";

/** How a request is counted against the key's limits. */
export type RateClass = "read" | "write";

export interface RouteSpec {
  method: "GET" | "POST" | "DELETE";
  /** Public path; `{name}` stands for one segment. */
  path: string;
  /** Open to all, to any valid key, or to keys with a scope. */
  access: "open" | "key" | Scope;
  rate: RateClass;
}

/** Every route of the interface and of its additions, by operation id. Anything else is a 404. */
export const ROUTES = {
  getHealth: { method: "GET", path: "/health", access: "open", rate: "read" },
  getBalance: { method: "GET", path: "/v1/account/balance", access: "read", rate: "read" },
  listPositions: { method: "GET", path: "/v1/positions", access: "read", rate: "read" },
  redeemPosition: {
    method: "POST",
    path: "/v1/positions/{positionId}/redeem",
    access: "trade",
    rate: "write",
  },
  placeOrder: { method: "POST", path: "/v1/orders", access: "trade", rate: "write" },
  listOrders: { method: "GET", path: "/v1/orders", access: "read", rate: "read" },
  cancelOrders: { method: "DELETE", path: "/v1/orders", access: "cancel", rate: "write" },
  previewOrder: { method: "POST", path: "/v1/orders/preview", access: "read", rate: "read" },
  listOpenOrders: { method: "GET", path: "/v1/orders/open", access: "read", rate: "read" },
  getOrder: { method: "GET", path: "/v1/orders/{orderId}", access: "read", rate: "read" },
  cancelOrder: { method: "DELETE", path: "/v1/orders/{orderId}", access: "cancel", rate: "write" },
  listMarkets: { method: "GET", path: "/v1/markets", access: "read", rate: "read" },
  getMarket: { method: "GET", path: "/v1/markets/{marketId}", access: "read", rate: "read" },
  getBook: { method: "GET", path: "/v1/markets/{marketId}/book", access: "read", rate: "read" },
  getHistory: {
    method: "GET",
    path: "/v1/markets/{marketId}/history",
    access: "read",
    rate: "read",
  },
  listFills: { method: "GET", path: "/v1/fills", access: "read", rate: "read" },
  listActivity: { method: "GET", path: "/v1/activity", access: "read", rate: "read" },
  getKey: { method: "GET", path: "/v1/key", access: "key", rate: "read" },
  getOpenApi: { method: "GET", path: "/v1/openapi.json", access: "open", rate: "read" },
} as const satisfies Record<string, RouteSpec>;

export type OperationId = keyof typeof ROUTES;

const ROUTE_LIST = Object.entries(ROUTES).map(([id, spec]) => ({
  id: id as OperationId,
  spec: spec as RouteSpec,
  segments: spec.path.split("/"),
}));
/** The routes by how many segments their paths have. */
const BY_LENGTH = new Map(
  ROUTE_LIST.map(({ segments: { length } }) => [
    length,
    ROUTE_LIST.filter(({ segments }) => segments.length === length),
  ]),
);

export interface FoundRoutes {
  /** Methods that the path defines, in the order of the table. */
  methods: readonly string[];
  /** The operation of the asked method, if the path defines it. */
  operation: {
    id: OperationId;
    spec: RouteSpec;
    params: Readonly<Record<string, string>>;
  } | null;
}

/** What was found for paths without parameters, of which there are as many as such routes. */
const literal = new Map<string, FoundRoutes>();

/**
 * Finds what a public path and a method mean. A path matches literally before it matches a
 * parameter, method by method: GET /v1/orders/open lists, DELETE /v1/orders/open cancels an order
 * whose id is "open" (and finds none).
 */
export function findRoutes(method: string, pathname: string): FoundRoutes | null {
  const request = `${method} ${pathname}`;
  const known = literal.get(request);
  if (known) return known;
  const found = searchRoutes(method, pathname);
  if (found?.operation?.spec.path === pathname) literal.set(request, found);
  return found;
}

function searchRoutes(method: string, pathname: string): FoundRoutes | null {
  const segments = pathname.split("/");
  const matching = (BY_LENGTH.get(segments.length) ?? []).filter((route) =>
    matches(route.segments, segments),
  );
  if (matching.length === 0) return null;
  const candidates = matching.filter((route) => route.spec.method === method);
  const [best] = candidates.toSorted(
    (a, b) => parameterCount(a.segments) - parameterCount(b.segments),
  );
  return {
    methods: [...new Set(matching.map((route) => route.spec.method))],
    operation: best
      ? { id: best.id, spec: best.spec, params: paramsOf(best.segments, segments) }
      : null,
  };
}

const isParameter = (segment: string) => segment.startsWith("{");

function matches(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) =>
    isParameter(part) ? segments[index] !== "" : part === segments[index],
  );
}

function parameterCount(template: readonly string[]): number {
  return template.filter(isParameter).length;
}

function paramsOf(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  template.forEach((part, index) => {
    if (isParameter(part)) params[part.slice(1, -1)] = decodeURIComponent(segments[index] ?? "");
  });
  return params;
}
