import "server-only";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Duplex, pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { getRequestListener, RequestError } from "@hono/node-server";
import { AppError, type ErrorCode } from "@/lib/errors";
import {
  failureReply,
  INTERFACE_HEADERS,
  NOT_MODIFIED,
  type Outgoing,
  type StreamedBody,
  toResponse,
} from "@/lib/api/http/respond";
import { MCP_PATH } from "@/lib/api/gate/mcp-path";
import type { ApiRouter } from "@/lib/api/router";
import { transportHeaders } from "@/lib/api/http/page-security";
import { type ApiRequest, readRequest } from "@/lib/api/http/request";
import { refuseUnknownPath } from "@/lib/api/gate/unknown-path";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { failureBody } from "@/lib/schemas/envelope";
import { answerSandbox, isSandboxPath } from "@/lib/sandbox/router";
import { isBusy, trackResponse, watchConnections } from "@/lib/server/in-flight";
import { appendPeer, FORWARDED_FOR } from "@/lib/server/peer-address";
import { parsePlainRequest } from "@/lib/server/plain-request";

/** Serves pages and their files: everything outside of the API. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node checks for connections that timed out; its default is 30 seconds. */
const CHECK_CONNECTIONS_MS = 5_000;
/** How long the reader of a stream has to read its end. */
const READ_END_MS = 5_000;
/** Next returns 500 for any other method. */
const PAGE_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Tells the Hono adapter that the response was already sent. */
const ALREADY_SENT = new Response(null, { headers: { "x-hono-already-sent": "true" } });

/** Creates the Node server. The router handles the API, Next handles pages. */
export function createNodeServer(router: ApiRouter, pages: PageHandler, hostname: string): Server {
  // Headers of every response.
  const common = { "x-content-type-options": "nosniff", ...transportHeaders() };
  const listener = createListener(router, pages, hostname);
  const options = { requireHostHeader: false, connectionsCheckingInterval: CHECK_CONNECTIONS_MS };
  const server = createServer(options, (request, response) => {
    trackResponse(request, response);
    if (!server.listening) response.shouldKeepAlive = false;
    const plain = parsePlainRequest(request);
    if (plain) return void answerPlain(router, plain, response);
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    if (isOriginForm(request.url)) return void listener(request, response);
    endWith(response, "MALFORMED_URL", "The request target must be a path.");
  });
  watchConnections(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on("clientError", answerClientError);
  server.on("connect", (_request, socket: Duplex) =>
    endSocket(socket, "METHOD_NOT_ALLOWED", "405 Method Not Allowed", "CONNECT is not supported."),
  );
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/** Handles any request as a Web Request: API, operator endpoints, MCP, sandbox, then pages. */
function createListener(
  router: ApiRouter,
  pages: PageHandler,
  hostname: string,
): ReturnType<typeof getRequestListener> {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const forwarded = appendPeer(incoming as IncomingMessage);
      request.headers.set(FORWARDED_FOR, forwarded);
      const answer = await router.answer(readRequest(request));
      if (answer) {
        send(outgoing as ServerResponse, answer);
        return ALREADY_SENT;
      }
      const response =
        (await router.operate(request)) ??
        refuseUnknownMethod(request) ??
        (await answerMcp(request, router)) ??
        (isSandboxPath(new URL(request.url).pathname) ? await answerSandbox(request) : null) ??
        refuseUnknownPath(request);
      if (response) return response;
      incoming.headers[FORWARDED_FOR] = forwarded;
      await pages(incoming as IncomingMessage, outgoing as ServerResponse);
      return ALREADY_SENT;
    },
    { hostname, overrideGlobalObjects: false, errorHandler: toFailure },
  );
}

/** Serves the MCP server's path. Its code is loaded with its first request. */
async function answerMcp(request: Request, router: ApiRouter): Promise<Response | null> {
  if (!MCP_PATH.test(new URL(request.url).pathname)) return null;
  const { serveMcp } = await import("@/lib/mcp/serve-mcp");
  return serveMcp(request, router);
}

async function answerPlain(
  router: ApiRouter,
  request: ApiRequest,
  response: ServerResponse,
): Promise<void> {
  const answer = await router.answer(request).catch(() => null);
  if (answer) send(response, answer);
  else response.destroy();
}

function send(response: ServerResponse, { status, headers, body }: Outgoing): void {
  if (body === null) return void response.destroy();
  const lines = listLines(headers);
  if (status === NOT_MODIFIED) return void response.writeHead(status, lines).end();
  if (body instanceof ReadableStream) return sendStream(response.writeHead(status, lines), body);
  lines.push("content-length", String(Buffer.byteLength(body)));
  response.writeHead(status, lines);
  response.end(body);
}

/** Lists names and values in turn, which Node writes 2.5 times as fast as an object (1.0 instead of 2.4 µs). */
function listLines(headers: Readonly<Record<string, string>>): string[] {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] ?? "");
  return lines;
}

/** Sends a stream until it or the connection ends. */
function sendStream(response: ServerResponse, body: StreamedBody): void {
  if (response.req.method === "HEAD") {
    void body.cancel();
    return void response.end();
  }
  response.flushHeaders();
  const source = Readable.fromWeb(body as NodeReadableStream);
  // A reader that takes nothing would keep the connection of an ended stream.
  source.once("end", () => setTimeout(() => response.destroy(), READ_END_MS).unref());
  // The reader leaves by closing the connection, which is an error to the pipeline and to nobody else.
  pipeline(source, response, () => undefined);
}

/** Returns whether every router parses the path alike: one leading slash, no backslash, no authority. */
function isOriginForm(target: string | undefined): target is string {
  return target !== undefined && /^\/(?![/\\])[^\\]*$/.test(target);
}

function refuseUnknownMethod({ method }: Request): Response | null {
  if (PAGE_METHODS.has(method)) return null;
  const error = new AppError("METHOD_NOT_ALLOWED", "This method is not supported.", {
    headers: { allow: "GET, HEAD, POST" },
  });
  return toResponse(failureReply(error), newId("req"));
}

/** Maps an invalid request to 400. Any other error is an internal error. */
function toFailure(error: unknown): Response {
  const requestId = newId("req");
  if (error instanceof RequestError) {
    const refusal = new AppError(
      "MALFORMED_URL",
      "The request target or the Host header is not valid.",
    );
    return toResponse(failureReply(refusal), requestId);
  }
  log.error("request failed", { requestId, ...errorFields(error) });
  const message = `Something went wrong on our side. The request id is ${requestId}.`;
  return toResponse(failureReply(new AppError("INTERNAL_ERROR", message)), requestId);
}

function endWith(response: ServerResponse, code: ErrorCode, message: string): void {
  response.writeHead(400, {
    ...INTERFACE_HEADERS,
    "content-type": "application/json; charset=utf-8",
    connection: "close",
    "x-request-id": newId("req"),
  });
  response.end(failureBody(code, message));
}

function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // A request is still running on this socket: its caller would read this refusal as the outcome of
  // that request. Without a response, the caller knows that the outcome is unknown.
  if (error.code === "ECONNRESET" || !socket.writable || isBusy(socket)) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    endSocket(
      socket,
      "PAYLOAD_TOO_LARGE",
      "400 Bad Request",
      "The request line and headers are too large.",
    );
  } else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    endSocket(socket, "VALIDATION_ERROR", "400 Bad Request", "The request did not arrive in time.");
  } else {
    endSocket(socket, "MALFORMED_URL", "400 Bad Request", "The request is not valid HTTP.");
  }
}

function endSocket(socket: Duplex, code: ErrorCode, statusLine: string, message: string): void {
  const body = failureBody(code, message);
  const allow = code === "METHOD_NOT_ALLOWED" ? "allow: GET\r\n" : "";
  const headers = Object.entries({ ...INTERFACE_HEADERS, ...transportHeaders() });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(
    `HTTP/1.1 ${statusLine}\r\ncontent-type: application/json; charset=utf-8\r\n${allow}` +
      `${lines}x-request-id: ${newId("req")}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
