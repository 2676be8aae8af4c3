import "server-only";
import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "@/lib/api/http/body";
import type { ApiRequest } from "@/lib/api/http/request";
import { appendPeer, FORWARDED_FOR } from "@/lib/server/peer-address";

/** Paths and queries without anything to decode or resolve. */
const PLAIN_TARGET = /^(\/(?:health|v1(?:\/[\w-]+)+))(?:\?([\w=&.-]*))?$/;
/** A plain host name or 127.0.0.1, with an optional port. */
const PLAIN_HOST =
  /^(?:127\.0\.0\.1|(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z]+)(?::\d{1,4}|:[1-5]\d{4})?$/;
const PLAIN_METHODS = new Set(["GET", "POST", "PATCH", "DELETE"]);
/** Headers of a request that needs special handling. */
const SPECIAL_HEADERS = new Set(["transfer-encoding", "expect", "upgrade"]);

/**
 * Parses a common API request without the cost of a Web Request, whose body is a stream. With ten connections,
 * an order takes 13 to 23 % less of Node's CPU time this way (docs/benchmarks.md). Returns null for any other
 * request, which takes the general way.
 */
export function parsePlainRequest(request: IncomingMessage): ApiRequest | null {
  const { method, url, rawHeaders } = request;
  if (method === undefined || url === undefined || !PLAIN_METHODS.has(method)) return null;
  const [, pathname, query] = PLAIN_TARGET.exec(url) ?? [];
  if (pathname === undefined) return null;
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (SPECIAL_HEADERS.has(name)) return null;
    const value = rawHeaders[index + 1] ?? "";
    const earlier = headers.get(name);
    // Joins repeated headers like the Fetch standard.
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  if (!PLAIN_HOST.test(headers.get("host") ?? "")) return null;
  const length = headers.get("content-length");
  const isShort = method !== "GET" && Number(length) <= MAX_BODY_BYTES;
  if (length !== undefined && !isShort) return null;
  headers.set(FORWARDED_FOR, appendPeer(request));
  const body = length === undefined ? NO_BODY : collectBody(request);
  return {
    method,
    pathname,
    searchParams: new URLSearchParams(query),
    headers: { get: (name) => headers.get(name) ?? null },
    readBody: () => body,
  };
}

const NO_BODY = Promise.resolve(new Uint8Array());

/**
 * Collects a short body while the caller is authenticated. A client that disconnects after it has sent the
 * body doesn't lose its request.
 */
function collectBody(request: IncomingMessage): Promise<Uint8Array> {
  const body = new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("the request ended before its body")));
  });
  // A refused request's body is not read.
  body.catch(() => undefined);
  return body;
}
