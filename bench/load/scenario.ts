// The load generator's input and output. Sent between processes, so plain data only.

/** A placeholder in a path or body. Each request replaces it with a unique text. */
export const UNIQUE = "{unique}";

export interface Call {
  method: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  /** Ports of servers on loopback. The connections are spread over them. */
  ports: readonly number[];
  connections: number;
  /** Taken in turn by the next free connection. */
  calls: readonly Call[];
  /** The load ends after this time or number of requests, whichever comes first. */
  seconds?: number;
  requests?: number;
  /** A pattern whose first group is collected from every response, with the index of its call. */
  collect?: string;
}

export interface LoadResult {
  /** Milliseconds per request, ascending. */
  latencies: Float64Array;
  seconds: number;
  /** Responses other than 200 by status, with one of them in full. */
  failures: { status: number; count: number; sample: string }[];
  collected: { call: number; value: string }[];
}
