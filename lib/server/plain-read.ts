import "server-only";
import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "@/lib/api/http/request";
import { appendPeer, FORWARDED_FOR } from "@/lib/server/peer-address";

/** Paths and queries without anything to decode or resolve. */
const PLAIN_TARGET = /^(\/(?:health|v1(?:\/[\w-]+)+))(?:\?([\w=&.-]*))?$/;
/** A plain host name or 127.0.0.1, with an optional port. */
const PLAIN_HOST =
  /^(?:127\.0\.0\.1|(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z]+)(?::\d{1,4}|:[1-5]\d{4})?$/;
/** Headers of a request that has a body or needs special handling. */
const SPECIAL_HEADERS = new Set(["content-length", "transfer-encoding", "expect", "upgrade"]);

/**
 * Parses a common API read without the cost of a Web Request. Returns null for any other request,
 * which takes the general way.
 */
export function parsePlainRead(request: IncomingMessage): ApiRequest | null {
  const { method, url, rawHeaders } = request;
  if (method !== "GET" || url === undefined) return null;
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
  headers.set(FORWARDED_FOR, appendPeer(request));
  return {
    method,
    pathname,
    searchParams: new URLSearchParams(query),
    headers: { get: (name) => headers.get(name) ?? null },
    body: null,
  };
}
