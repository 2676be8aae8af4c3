// One attempt of one request.
import { type ApiError, NoResponseError, toApiError } from "./errors.ts";
import { readJson } from "./decimal.ts";

export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With its query. */
  path: string;
  body?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** What came back from an attempt. */
export type Reply =
  | { kind: "success"; data: object }
  | { kind: "failure"; error: ApiError }
  /** No complete response of Ante arrived: a write may or may not have been executed. */
  | { kind: "none"; error: NoResponseError };

export interface Server {
  baseUrl: string;
  /** A function, because programs log objects: a client that is printed shows no key. */
  getApiKey: () => string | undefined;
  fetch: typeof fetch;
}

/** Opens a response. The signal ends the request and the reading of its body. */
export function open(
  { baseUrl, getApiKey, fetch: send }: Server,
  { method, path, body, headers }: Request,
  signal: AbortSignal,
): Promise<Response> {
  const apiKey = getApiKey();
  return send(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    // A redirect would repeat an order as a GET, or send the key to another server.
    redirect: "manual",
    cache: "no-store",
    signal,
  });
}

/** Sends a request once. Returns what came back, and throws only if the caller aborts. */
export async function sendOnce(
  server: Server,
  request: Request,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Reply> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => limit.abort(new Error(`no response in ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const response = await open(server, request, limit.signal);
    return readReply(response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    const reason: unknown = limit.signal.aborted ? limit.signal.reason : cause;
    const message = `${request.method} ${server.baseUrl}${request.path.split("?", 1)[0]}: ${describe(reason)}`;
    return { kind: "none", error: new NoResponseError(message, { cause: reason }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Reads a response. Anything but an envelope that fits its status isn't a response of Ante. */
export function readReply(response: Response, text: string): Reply {
  const { status, headers } = response;
  const envelope = parse(text);
  if (status === 200 && envelope?.ok === true && isObject(envelope.data))
    return { kind: "success", data: envelope.data };
  if (status >= 400 && envelope?.ok === false && isFailure(envelope.error))
    return { kind: "failure", error: toApiError(status, envelope.error, headers) };
  const moved = headers.get("location");
  const hint =
    moved !== null && status >= 300 && status < 400
      ? `It redirects to ${moved}: set baseUrl to the final address.`
      : "Check baseUrl, and proxies in between.";
  return {
    kind: "none",
    error: new NoResponseError(
      `The response with status ${status} is not a complete response of Ante. ${hint}`,
    ),
  };
}

function parse(text: string): { ok?: unknown; data?: unknown; error?: unknown } | null {
  try {
    const value = readJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isFailure(error: unknown): error is { code: string; message: string } {
  return (
    isObject(error) &&
    "code" in error &&
    typeof error.code === "string" &&
    "message" in error &&
    typeof error.message === "string"
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** undici puts the reason of "fetch failed" into its cause. */
function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.cause instanceof Error
    ? `${reason.message} (${reason.cause.message})`
    : reason.message;
}
