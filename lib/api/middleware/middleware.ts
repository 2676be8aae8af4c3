import "server-only";
import type { FoundOperation } from "@/lib/api/gate/find-operation";
import type { Bearer } from "@/lib/auth/bearer";
import type { Principal } from "@/lib/auth/principal";
import type { Operation } from "@/lib/api/operations/operation";
import type { OperationId } from "@/lib/api/operations";
import type { ApiRequest } from "@/lib/api/http/request";
import type { Reply } from "@/lib/api/http/respond";
import type { LogFields } from "@/lib/log";

/**
 * What a response is built from, which decides when the cached one is stale. "paper account": of a live
 * account, the venue has the data, so its responses are not cached. "records": what Ante records of
 * orders in both modes.
 */
export type CachePolicy = "records" | "paper account" | "paper account and prices";

/** A request on its way through the middleware. */
export interface ApiContext {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly request: ApiRequest;
  readonly requestId: string;
  /** Path parameters that the gate found; null if the gate ran elsewhere, as on Next. */
  readonly params: FoundOperation["params"] | null;
  /** The key that the gate read; null if there is none or the gate ran elsewhere. */
  readonly bearer: Bearer | null;
  /** How the caller signs in. */
  readonly entry: "key" | "session" | "open";
  /** The data that the response depends on; null if it is not cached. */
  readonly cachePolicy: CachePolicy | null;
  /** The fields of the log line, filled in on the way. */
  readonly fields: LogFields;
  /** Headers of this response alone; a cached reply has its own. */
  readonly headers: Record<string, string>;
  /** The caller, once authenticated; null if the operation is open to all. */
  principal: Principal | null;
  /** The version of the account, read with the caller's key; null if unknown. */
  accountVersion: string | null;
  /** When the account was last compared with the venue, in milliseconds; null if unknown. */
  comparedAt: number | null;
}

/** One step of a request. It calls `next` for the rest, or replies itself. */
export type Middleware = (context: ApiContext, next: () => Promise<Reply>) => Promise<Reply>;

/** Runs the steps from first to last around `handle`. */
export function runMiddleware(
  steps: readonly Middleware[],
  context: ApiContext,
  handle: (context: ApiContext) => Promise<Reply>,
): Promise<Reply> {
  const run = (index: number): Promise<Reply> => {
    const step = steps[index];
    return step ? step(context, () => run(index + 1)) : handle(context);
  };
  return run(0);
}
