import "server-only";
import { env } from "@/lib/env";

/**
 * Whether a browser says that a page of another site sends this. Next lets a form through whose
 * origin is hidden ("null"), and a cookie that is SameSite knows no ports and no subdomains.
 */
export function isForeign(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  return origin !== null && !isOwnOrigin(origin, headers);
}

/** Programs name no origin; they have no cookies that somebody else could use. */
function isOwnOrigin(origin: string, headers: Headers): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: parsed } = new URL(origin);
  if (parsed === new URL(env().NEXTAUTH_URL).origin) return true;
  return host === headers.get("x-forwarded-host") || host === headers.get("host");
}
