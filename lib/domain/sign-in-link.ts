/**
 * Why a signed-out browser comes to the sign-in page: "session" if it only read, "unsent" if a form or
 * an order was refused, so that the page can say that nothing was changed.
 */
export type SessionEnd = "session" | "unsent";

/**
 * Returns the URL of the sign-in page.
 *
 * @param next the path to open afterwards.
 * @param ended null if the browser wasn't signed in.
 */
export function buildSignInHref(next: string, ended: SessionEnd | null): string {
  const query = new URLSearchParams();
  if (next !== "/") query.set("next", next);
  if (ended !== null) query.set("ended", ended);
  return query.size === 0 ? "/sign-in" : `/sign-in?${query.toString()}`;
}
