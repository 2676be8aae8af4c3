import "server-only";

/**
 * What the interface reads of a request. A Web Request becomes one, and the Node server makes one of
 * a plain read itself: a Web Request costs more than most answers.
 */
export interface ApiRequest {
  method: string;
  pathname: string;
  searchParams: URLSearchParams;
  headers: Pick<Headers, "get">;
  body: ReadableStream<Uint8Array> | null;
}

/** Throws when the URL is not one. */
export function readRequest(request: Request): ApiRequest {
  const { method, headers, url } = request;
  const { pathname, searchParams } = new URL(url);
  // The body is asked for by whoever needs it: asking begins to read it.
  return {
    method,
    pathname,
    searchParams,
    headers,
    get body() {
      return request.body;
    },
  };
}
