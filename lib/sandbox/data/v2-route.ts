import "server-only";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { SandboxError } from "@/lib/sandbox/error";
import { countSandboxRequest } from "@/lib/sandbox/limits";

const CODES: Record<number, { code: string; retryable: boolean }> = {
  400: { code: "invalid_request", retryable: false },
  404: { code: "not_found", retryable: false },
  429: { code: "rate_limited", retryable: true },
};
const INTERNAL = { code: "internal", retryable: true };

/** A refusal that says which parameter it is about. */
export function invalid(parameter: string, message: string): SandboxError {
  return new SandboxError(400, message, { parameter });
}

/** Makes a handler of the second Data API: its own envelope around data and around errors. */
export function v2Route(
  read: (query: URLSearchParams) => Promise<Record<string, unknown>>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      await countSandboxRequest(request.headers);
      return Response.json(await read(new URL(request.url).searchParams));
    } catch (error) {
      return failure(error);
    }
  };
}

function failure(error: unknown): Response {
  const traceId = newId("req");
  if (error instanceof SandboxError) {
    const { code, retryable } = CODES[error.status] ?? INTERNAL;
    const body = { error: error.message, code, retryable, trace_id: traceId, ...error.extra };
    return Response.json(body, { status: error.status });
  }
  log.error("sandbox read failed", { requestId: traceId, ...errorFields(error) });
  const body = { error: "internal error", ...INTERNAL, trace_id: traceId };
  return Response.json(body, { status: 500 });
}

/** One page of a list, with the cursor of the next. An offset by itself is refused. */
export function pageOf<T>(rows: readonly T[], query: URLSearchParams, maxLimit: number) {
  if (query.has("offset")) throw invalid("offset", "offset is not supported, use cursor");
  const limit = limitOf(query, maxLimit);
  const offset = offsetOf(query.get("cursor"));
  const data = rows.slice(offset, offset + limit);
  const hasMore = offset + data.length < rows.length;
  const next_cursor = hasMore ? toCursor(offset + data.length) : "";
  return { data, pagination: { limit, offset, has_more: hasMore, next_cursor } };
}

function limitOf(query: URLSearchParams, max: number): number {
  const text = query.get("limit") ?? "100";
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max) {
    throw invalid("limit", `limit must be between 1 and ${max}`);
  }
  return Number(text);
}

const toCursor = (offset: number) => Buffer.from(String(offset)).toString("base64url");

function offsetOf(cursor: string | null): number {
  if (!cursor) return 0;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  if (!/^\d{1,9}$/.test(text)) throw invalid("cursor", "invalid cursor");
  return Number(text);
}
