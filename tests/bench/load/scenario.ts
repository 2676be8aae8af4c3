// What the load generator is told and what it answers. Sent between processes, so plain data only.

/** In the path or body of a call it stands for text that no other request has. */
export const UNIQUE = "{unique}";

export interface Call {
  method: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  /** Servers on loopback; the connections are spread over them. */
  ports: readonly number[];
  connections: number;
  /** Taken in turn by whichever connection is free. */
  calls: readonly Call[];
  /** Ends after so long, or after so many requests, whichever comes first. */
  seconds?: number;
  requests?: number;
  /** A pattern whose first group is kept of every answer, with the call it answers. */
  collect?: string;
}

export interface LoadResult {
  /** Milliseconds of each request, ascending. */
  latencies: Float64Array;
  seconds: number;
  /** Answers that were not 200, by status, with one of them in full. */
  failures: { status: number; count: number; sample: string }[];
  collected: { call: number; value: string }[];
}
