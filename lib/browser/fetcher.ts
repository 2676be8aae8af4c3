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

/** Fetches JSON from the dashboard's API and returns its data. Throws ApiError. */
export async function fetchData<T>(url: string, timeoutMs = TIMEOUT_MS): Promise<T> {
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(url, { signal });
  const body = (await response.json()) as
    { ok: true; data: T } | { ok: false; error: { code: string; message: string } };
  if (body.ok) return body.data;
  if (body.error.code === "SESSION_ENDED") leaveForSignIn();
  throw new ApiError(response.status, body.error.code, body.error.message);
}

let isOrderUnsent = false;
let leavingAs: SessionEnd | null = null;

/**
 * Says whether the page shows an order that the user means to place and that hasn't been sent. If any
 * read then finds that the session has ended, the sign-in page says that the order wasn't sent.
 */
export function markUnsentOrder(isUnsent: boolean): void {
  isOrderUnsent = isUnsent;
}

/**
 * Leaves the page, so that a signed-out browser shows no account data. Sign-in leads back. Several reads
 * can fail before the page is left; none of them takes back that an order wasn't sent.
 */
function leaveForSignIn(): void {
  if (leavingAs === "unsent") return;
  leavingAs = isOrderUnsent ? "unsent" : "session";
  const { pathname, search } = window.location;
  window.location.assign(buildSignInHref(pathname + search, leavingAs));
}
