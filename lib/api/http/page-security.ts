import "server-only";
import { isSecureOrigin } from "@/lib/auth/session-cookie";
import { OPERATION_GROUPS } from "@/lib/domain/operation-groups";

/** Passes the path to server components, which Next does not. `proxy.ts` overwrites a client's value. */
export const PATH_HEADER = "x-ante-path";

const DASHBOARD_PAGES =
  /^\/(?:$|(?:orders|trade|markets|activity|wallet|keys|approvals|developers|notifications|settings|status)(?:\/|$))/;

const OPEN_PAGES = /^\/(?:sign-in|sign-up|reset-password|docs)(?:\/|$)/;

/** Every page, like the folders under app; tests/architecture compares them. */
const PAGE = new RegExp(
  `^/(?:${[
    "orders(?:/cancel|/receipt/[^/]+|/[^/]+(?:/edit)?)?",
    "trade(?:/review)?",
    "markets(?:/[^/]+)?",
    "activity(?:/proof)?",
    "wallet(?:/live(?:/switch)?)?",
    "keys(?:/new|/requests/[^/]+|/[^/]+(?:/(?:limits|rename|revoke|rotate))?)?",
    "approvals(?:/[^/]+)?",
    "developers(?:/events)?",
    "developers/webhooks(?:/new|/[^/]+(?:/(?:edit|rotate|delete|deliveries/[^/]+))?)?",
    "notifications",
    "settings(?:/security(?:/(?:app|passkey|codes|remove))?)?",
    "status",
    "sign-in(?:/factor)?",
    "sign-up",
    "reset-password",
    "docs(?:/(?:errors|event-types|money|order-states|paper-and-live|receiving-webhooks|retries|search))?",
    `docs/(?:${OPERATION_GROUPS.map(({ slug }) => slug).join("|")})`,
  ].join("|")})?/?$`,
);

/** Returns whether a path belongs to a page, even if its id or slug is unknown. */
export function isPage(pathname: string): boolean {
  return PAGE.test(pathname);
}

/** Returns whether forms may be posted to this path. Next would run actions under any path. */
export function takesForms(pathname: string): boolean {
  return needsSession(pathname) || OPEN_PAGES.test(pathname);
}

/** Returns whether a page redirects to the sign-in page without a session. */
export function needsSession(pathname: string): boolean {
  return DASHBOARD_PAGES.test(pathname);
}

/**
 * Returns the content security policy of a page. Scripts run only with the nonce or if loaded by a
 * script that has it; everything else comes from this origin.
 */
export function contentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
  const development = isDevelopment ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // The development server injects styles without a nonce.
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns HSTS for a year if the service is reached by https. */
export function transportHeaders(): Readonly<Record<string, string>> {
  return isSecureOrigin() ? { "strict-transport-security": "max-age=31536000" } : {};
}
