import "server-only";
import { AppError } from "@/lib/errors";

/**
 * The parts of a request that the interface reads. The Node server builds it directly for plain requests,
 * because creating a Web Request costs more than most responses.
 */
export interface ApiRequest {
  method: string;
  pathname: string;
  searchParams: URLSearchParams;
  headers: Pick<Headers, "get">;
  /** Reads a body of at most `max` bytes. Returns null if it has more. */
  readBody: (max: number) => Promise<Uint8Array | null>;
}

/** Paths of the interface, in any spelling that a router might take for them. */
export const API_PATH = /^\/+(?:api\/+)?(?:v1|health)(?:\/|$)/i;

/** The longest value of a parameter that the dashboard sends. */
const MAX_PARAMETER = 512;

/** Returns the query of a dashboard read. Throws VALIDATION_ERROR if a value is too long. */
export function readSessionQuery(request: Request): URLSearchParams {
  const query = new URL(request.url).searchParams;
  for (const [name, value] of query) {
    if (value.length <= MAX_PARAMETER) continue;
    const field = name.slice(0, MAX_PARAMETER);
    const message = `${field}: must have at most ${MAX_PARAMETER} characters`;
    throw new AppError("VALIDATION_ERROR", message);
  }
  return query;
}

/** Reads a Web Request. Throws if its URL is invalid. */
export function readRequest(request: Request): ApiRequest {
  const { method, headers, url } = request;
  const { pathname, searchParams } = new URL(url);
  return {
    method,
    pathname,
    searchParams,
    headers,
    readBody: (max) => readBytes(request.body, max),
  };
}

/** Reads a body of at most `max` bytes. Returns null if it has more. */
export async function readBytes(body: Request["body"], max: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    total += value.byteLength;
    if (total > max) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}

/** Returns the public path of a request: rewrites add `/api`, which stays reachable directly. */
export function publicPath(pathname: string): string {
  return pathname.startsWith("/api/") ? pathname.slice("/api".length) : pathname;
}

/** Returns the path by which an operation is found; `app/api/ui` mounts operations as well. */
export function operationPath(pathname: string): string {
  return pathname.startsWith("/api/ui/") ? pathname.slice("/api/ui".length) : publicPath(pathname);
}
