import "server-only";
import { readRequest } from "@/lib/api/http/request";
import { webResponse } from "@/lib/api/http/respond";
import type { ApiRouter } from "@/lib/api/router";

/** Headers of the caller that decide about its requests: the addresses between it and the service. */
const FORWARDED = "x-forwarded-for";

/**
 * Makes a `fetch` that calls the interface in this process, for the caller of `outer`. Such requests pass the
 * gate, authentication, limits and logs as all others do.
 */
export function fetchInProcess(router: ApiRouter, outer: Request): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const addresses = outer.headers.get(FORWARDED);
    if (addresses !== null) request.headers.set(FORWARDED, addresses);
    const answer = await router.answer(readRequest(request));
    if (!answer) throw new Error(`${new URL(request.url).pathname} is no path of the interface`);
    return webResponse(answer, request.method);
  };
}
