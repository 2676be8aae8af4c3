import "server-only";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { AppError, type ErrorCode } from "@/lib/errors";
import { failureReply, type Outgoing, toResponse } from "@/lib/http/respond";
import type { Lane } from "@/lib/http/lane";
import { transportHeaders } from "@/lib/http/page-security";
import { type ApiRequest, readRequest } from "@/lib/http/request";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { failureBody } from "@/lib/schemas/envelope";
import { isWorking, noteInFlight, watchConnections } from "@/lib/server/in-flight";
import { plainRead } from "@/lib/server/plain-read";

/** Serves what is not the interface: pages and their files. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node looks for connections whose time is over; by itself every half minute. */
const CHECK_CONNECTIONS_MS = 5_000;
/** Next cannot make a request of any other method, and answers 500. */
const PAGE_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Tells the adapter that the answer was dealt with outside it. */
const ALREADY_SENT = new Response(null, { headers: { "x-hono-already-sent": "true" } });

/** The Node entry: every byte of the interface leaves here as the envelope, pages go to Next. */
export function createNodeServer(lane: Lane, pages: PageHandler, hostname: string): Server {
  // What no answer goes without, whoever makes it.
  const common = { "x-content-type-options": "nosniff", ...transportHeaders() };
  const listener = requestListener(lane, pages, hostname);
  const options = { requireHostHeader: false, connectionsCheckingInterval: CHECK_CONNECTIONS_MS };
  const server = createServer(options, (request, response) => {
    noteInFlight(request, response);
    if (!server.listening) response.shouldKeepAlive = false;
    const read = plainRead(request);
    if (read) return void answerRead(lane, read, response);
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    if (isOriginForm(request.url)) return void listener(request, response);
    endWith(response, "MALFORMED_URL", "the request target must be a path");
  });
  watchConnections(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on("clientError", answerClientError);
  server.on("connect", (_request, socket: Duplex) =>
    endSocket(socket, "METHOD_NOT_ALLOWED", "405 Method Not Allowed", "CONNECT is not served"),
  );
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/** Takes any request, as a Web Request: one of the interface, of the operator, or for a page. */
function requestListener(
  lane: Lane,
  pages: PageHandler,
  hostname: string,
): ReturnType<typeof getRequestListener> {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const answer = await lane.answer(readRequest(request));
      if (answer) {
        send(outgoing as ServerResponse, answer);
        return ALREADY_SENT;
      }
      const forwarded = forwardedFor(incoming as IncomingMessage);
      request.headers.set("x-forwarded-for", forwarded);
      const response =
        (await lane.operate(request)) ?? (await lane.rehearse(request)) ?? unknownMethod(request);
      if (response) return response;
      incoming.headers["x-forwarded-for"] = forwarded;
      await pages(incoming as IncomingMessage, outgoing as ServerResponse);
      return ALREADY_SENT;
    },
    { hostname, overrideGlobalObjects: false, errorHandler: toFailure },
  );
}

async function answerRead(lane: Lane, read: ApiRequest, response: ServerResponse): Promise<void> {
  const answer = await lane.answer(read).catch(() => null);
  if (answer) send(response, answer);
  else response.destroy();
}

function send(response: ServerResponse, { status, headers, body }: Outgoing): void {
  if (body === null) return void response.destroy();
  const lines = Object.entries(headers).flat();
  response.writeHead(status, [...lines, "content-length", String(Buffer.byteLength(body))]);
  response.end(body);
}

/** A path that every router reads alike: one slash first, no backslash, no authority. */
function isOriginForm(target: string | undefined): target is string {
  return target !== undefined && /^\/(?![/\\])[^\\]*$/.test(target);
}

function unknownMethod({ method }: Request): Response | null {
  if (PAGE_METHODS.has(method)) return null;
  const error = new AppError("METHOD_NOT_ALLOWED", "nothing here answers this method", {
    headers: { allow: "GET, HEAD, POST" },
  });
  return toResponse(failureReply(error), newId("req"));
}

/** With who is connected as the last address, which alone a client cannot make up. */
function forwardedFor({ headers, socket }: IncomingMessage): string {
  const claimed = headers["x-forwarded-for"];
  const peer = socket.remoteAddress ?? "unknown";
  return claimed === undefined ? peer : `${String(claimed)}, ${peer}`;
}

/** What the adapter could not make a request of; anything else is a failure of ours. */
function toFailure(error: unknown): Response {
  const requestId = newId("req");
  if (error instanceof RequestError) {
    const refusal = new AppError("MALFORMED_URL", "the request target or Host header is not valid");
    return toResponse(failureReply(refusal), requestId);
  }
  log.error("request failed", { requestId, ...errorFields(error) });
  const message = `something went wrong on our side; the request id is ${requestId}`;
  return toResponse(failureReply(new AppError("INTERNAL_ERROR", message)), requestId);
}

function endWith(response: ServerResponse, code: ErrorCode, message: string): void {
  response.writeHead(400, {
    "content-type": "application/json; charset=utf-8",
    connection: "close",
    "x-request-id": newId("req"),
  });
  response.end(failureBody(code, message));
}

function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // Bytes that belong to no request must not be answered in place of the request before them: its
  // caller would take a refusal for the outcome. Without an answer the outcome is unknown, and is.
  if (error.code === "ECONNRESET" || !socket.writable || isWorking(socket)) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    endSocket(
      socket,
      "PAYLOAD_TOO_LARGE",
      "400 Bad Request",
      "the request line and headers are too large",
    );
  } else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    endSocket(socket, "VALIDATION_ERROR", "400 Bad Request", "the request did not arrive in time");
  } else {
    endSocket(socket, "MALFORMED_URL", "400 Bad Request", "the request is not valid HTTP");
  }
}

function endSocket(socket: Duplex, code: ErrorCode, statusLine: string, message: string): void {
  const body = failureBody(code, message);
  const allow = code === "METHOD_NOT_ALLOWED" ? "allow: GET\r\n" : "";
  socket.end(
    `HTTP/1.1 ${statusLine}\r\ncontent-type: application/json; charset=utf-8\r\n${allow}` +
      `x-content-type-options: nosniff\r\nx-request-id: ${newId("req")}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
