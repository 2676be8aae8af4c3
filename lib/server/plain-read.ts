import "server-only";
import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "@/lib/http/request";

/** Paths and queries that mean the same to every reader: nothing to decode, nothing to resolve. */
const PLAIN_TARGET = /^(\/(?:health|v1(?:\/[\w-]+)+))(?:\?([\w=&.-]*))?$/;
/** A name without surprises, or this machine, and a port: what nobody would refuse as the host. */
const PLAIN_HOST =
  /^(?:127\.0\.0\.1|(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z]+)(?::\d{1,4}|:[1-5]\d{4})?$/;
/** With these there is a body, or more to do than to answer. */
const NOT_PLAIN = new Set(["content-length", "transfer-encoding", "expect", "upgrade"]);

/**
 * A read of the interface as most programs send it, taken as it stands; null for everything else,
 * which is made a Web Request of, with all that belongs to it.
 */
export function plainRead({ method, url, rawHeaders }: IncomingMessage): ApiRequest | null {
  if (method !== "GET" || url === undefined) return null;
  const [, pathname, query] = PLAIN_TARGET.exec(url) ?? [];
  if (pathname === undefined) return null;
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (NOT_PLAIN.has(name)) return null;
    const value = rawHeaders[index + 1] ?? "";
    const before = headers.get(name);
    // As the Web joins what is sent twice.
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  if (!PLAIN_HOST.test(headers.get("host") ?? "")) return null;
  return {
    method,
    pathname,
    searchParams: new URLSearchParams(query),
    headers: { get: (name) => headers.get(name) ?? null },
    body: null,
  };
}
