import "server-only";

/** Upper bounds in seconds; what took longer is counted in none but the total. */
export const LATENCY_BOUNDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;

/** A request that was answered. Its route is a template, so that there are few of them. */
export interface ServedRequest {
  method: string;
  route: string;
  /** By what it was let in: or by nothing, where all may ask, or not at all. */
  caller: "key" | "session" | "open" | "refused";
  /** Null when the answer was lost on purpose. */
  status: number | null;
  seconds: number;
}

/** How long the answers of a route took. */
export interface Latency {
  /** By the first bound that each was within. */
  counts: number[];
  count: number;
  sum: number;
}

interface Counts {
  answers: Map<string, { labels: Record<string, string>; count: number }>;
  latencies: Map<string, { labels: Record<string, string>; latency: Latency }>;
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.request-counts");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Counts };

/** What was answered since the process began. */
export function requestCounts(): Counts {
  holder[HOLDER] ??= { answers: new Map(), latencies: new Map() };
  return holder[HOLDER];
}

/** Counts an answer: two look-ups and no memory but for the first of its kind. */
export function countAnswer({ method, route, caller, status, seconds }: ServedRequest): void {
  const { answers, latencies } = requestCounts();
  const place = `${method} ${route} ${caller}`;
  const code = status === null ? "lost" : String(status);
  let answer = answers.get(`${place} ${code}`);
  if (!answer) {
    answer = { labels: { method, route, caller, status: code }, count: 0 };
    answers.set(`${place} ${code}`, answer);
  }
  answer.count += 1;
  let entry = latencies.get(place);
  if (!entry) {
    const latency = { counts: LATENCY_BOUNDS.map(() => 0), count: 0, sum: 0 };
    entry = { labels: { method, route, caller }, latency };
    latencies.set(place, entry);
  }
  const { latency } = entry;
  latency.count += 1;
  latency.sum += seconds;
  const bound = LATENCY_BOUNDS.findIndex((limit) => seconds <= limit);
  if (bound !== -1) latency.counts[bound] = (latency.counts[bound] ?? 0) + 1;
}
