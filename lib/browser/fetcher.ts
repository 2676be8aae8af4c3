import { buildSignInHref, type SessionEnd } from "@/lib/domain/sign-in-link";

/** A failed request, with the API's code and message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const TIMEOUT_MS = 10_000;

let stopped = new AbortController();

/** Ends all fetches, and each further one, because the session is about to end. */
export function stopFetches(): void {
  stopped.abort();
}

/** Allows fetches again, in a new session. */
export function allowFetches(): void {
  if (stopped.signal.aborted) stopped = new AbortController();
}

/**
 * Fetches JSON from the dashboard's API and returns its data. Throws ApiError.
 *
 * @param ended what the sign-in page says if the session has ended: "unsent" for a read that precedes
 * an order.
 */
export async function fetchData<T>(url: string, ended: SessionEnd = "session"): Promise<T> {
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(url, { signal });
  const body = (await response.json()) as
    { ok: true; data: T } | { ok: false; error: { code: string; message: string } };
  if (body.ok) return body.data;
  if (body.error.code === "SESSION_ENDED") leaveForSignIn(ended);
  throw new ApiError(response.status, body.error.code, body.error.message);
}

let leavingAs: SessionEnd | null = null;

/**
 * Leaves the page, so that a signed-out browser shows no account data. Sign-in leads back. Several
 * reads fail together and the last address counts, so none replaces the one about an unsent order.
 */
function leaveForSignIn(ended: SessionEnd): void {
  if (leavingAs === "unsent") return;
  leavingAs = ended;
  const { pathname, search } = window.location;
  window.location.assign(buildSignInHref(pathname + search, ended));
}
