import "server-only";
import { Counter, Histogram, Registry } from "prom-client";

/** Upper bounds of the buckets in seconds. Longer responses count only in the total. */
const LATENCY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A served request. Its route is a template, so there are few different ones. */
export interface ServedRequest {
  method: string;
  route: string;
  /** How the caller was authenticated; `open` needs no authentication. */
  caller: "key" | "session" | "open" | "refused";
  /** Null if a simulated fault dropped the response. */
  status: number | null;
  seconds: number;
}

interface RequestCounts {
  registry: Registry;
  responses: Counter<"method" | "route" | "caller" | "status">;
  durations: Histogram<"method" | "route" | "caller">;
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.request-counts");
const holder = globalThis as typeof globalThis & { [HOLDER]?: RequestCounts };

/** Returns the counts since the process started. */
export function getRequestCounts(): RequestCounts {
  holder[HOLDER] ??= createRequestCounts();
  return holder[HOLDER];
}

function createRequestCounts(): RequestCounts {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    responses: new Counter({
      name: "ante_requests_total",
      help: "API responses by route template.",
      labelNames: ["method", "route", "caller", "status"],
      registers,
    }),
    durations: new Histogram({
      name: "ante_request_seconds",
      help: "Duration of API responses.",
      labelNames: ["method", "route", "caller"],
      buckets: LATENCY_BOUNDS,
      registers,
    }),
  };
}

/** Counts a response. */
export function countResponse({ method, route, caller, status, seconds }: ServedRequest): void {
  const { responses, durations } = getRequestCounts();
  const code = status === null ? "lost" : String(status);
  responses.inc({ method, route, caller, status: code });
  durations.observe({ method, route, caller }, seconds);
}
