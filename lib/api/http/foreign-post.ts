import "server-only";
import { env } from "@/lib/env";

/**
 * Returns whether the browser reports that a page of another site sent the request. Next accepts the
 * hidden origin "null", and `SameSite` cookies ignore ports and subdomains.
 */
export function isForeign(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  return origin !== null && !isOwnOrigin(origin, headers);
}

/** Compares the origin with the service's own. A program sends none, and no cookies either. */
function isOwnOrigin(origin: string, headers: Headers): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: parsed } = new URL(origin);
  if (parsed === new URL(env().NEXTAUTH_URL).origin) return true;
  return host === headers.get("x-forwarded-host") || host === headers.get("host");
}
