import "server-only";
import { Ante } from "@ante/client";
import { createServer } from "@ante/mcp";
import { createMcpHandler, originValidationResponse } from "@modelcontextprotocol/server";
import { transportHeaders } from "@/lib/api/http/page-security";
import { failureReply, INTERFACE_HEADERS, toResponse } from "@/lib/api/http/respond";
import type { ApiRouter } from "@/lib/api/router";
import { readBearer } from "@/lib/auth/bearer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { fetchInProcess } from "@/lib/mcp/fetch-in-process";

/** The client needs an address. Its requests don't leave the process. */
const IN_PROCESS = "http://127.0.0.1";
/** The longest that a tool repeats a request which fails. Clients wait a minute. */
const DEADLINE_MS = 30_000;
/** The largest message. An order takes about 1 KiB. */
const MAX_BODY_BYTES = 64 * 1024;
/** The parts of the response about the key that this server needs, and the headers for the log. */
const KEY_HEADERS = ["ratelimit", "ratelimit-policy", "x-request-id"];

/**
 * Serves a message of the Model Context Protocol over streamable HTTP, without sessions: the tools of
 * `@ante/mcp` with the API key of the message. Every tool makes requests of that key to the interface.
 */
export async function serveMcp(request: Request, router: ApiRouter): Promise<Response> {
  const send = fetchInProcess(router, request);
  const authorization = request.headers.get("authorization");
  const known = await send(
    `${IN_PROCESS}/v1/key`,
    authorization ? { headers: { authorization } } : {},
  );
  if (known.status !== 200) return known;
  // A page whose name points at this machine (DNS rebinding) sends its own origin. Programs send none.
  const foreign = originValidationResponse(request, listOwnHosts());
  if (foreign) return withHeaders(foreign, known);
  if (request.method !== "POST") return refuseMethod();
  const { key } = readBearer(request.headers);
  const options = { baseUrl: IN_PROCESS, apiKey: key, fetch: send, deadlineMs: DEADLINE_MS };
  const report = (error: unknown) => log.error("tool failed", errorFields(error));
  const handler = createMcpHandler(
    () => createServer({ ante: new Ante(options), report }),
    // Nothing that a subscription announces ever changes.
    { maxRequestBodySize: MAX_BODY_BYTES, maxSubscriptions: 0 },
  );
  return withHeaders(await handler.fetch(request), known);
}

/** The hosts whose pages may call: this service's own, and those of the machine. */
const listOwnHosts = () => [
  new URL(env().NEXTAUTH_URL).hostname,
  "localhost",
  "127.0.0.1",
  "[::1]",
];

/** Refuses what only servers with sessions have: GET opens a stream, DELETE ends a session. */
function refuseMethod(): Response {
  const refusal = new AppError("METHOD_NOT_ALLOWED", "This path allows POST only.", {
    headers: { allow: "POST" },
  });
  return toResponse(failureReply(refusal), newId("req"));
}

/** Adds the headers of every response, and those about the key. */
function withHeaders({ status, headers, body }: Response, known: Response): Response {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries({ ...INTERFACE_HEADERS, ...transportHeaders() })) {
    all.set(name, value);
  }
  for (const name of KEY_HEADERS) {
    const value = known.headers.get(name);
    if (value !== null) all.set(name, value);
  }
  return new Response(body, { status, headers: all });
}
