import "server-only";
import { isSecureOrigin } from "@/lib/auth/session-cookie";

/** Tells server components which page they are: Next does not. Set by us, never by a client. */
export const PATH_HEADER = "x-ante-path";

const DASHBOARD_PAGES =
  /^\/(?:$|(?:orders|trade|markets|activity|wallet|keys|settings|status)(?:\/|$))/;

const OPEN_PAGES = /^\/(?:sign-in|sign-up|docs)(?:\/|$)/;

/** Whether a form may be sent to this path. Next would look for actions under any. */
export function takesForms(pathname: string): boolean {
  return needsSession(pathname) || OPEN_PAGES.test(pathname);
}

/** Whether a page is part of the dashboard: without a session it redirects to the sign-in page. */
export function needsSession(pathname: string): boolean {
  return DASHBOARD_PAGES.test(pathname);
}

/**
 * The content security policy of a page. Scripts run only with the nonce, or loaded by one that
 * has it; nothing comes from elsewhere.
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
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Tells browsers to keep to https for a year, once the service is reached by it. */
export function transportHeaders(): Readonly<Record<string, string>> {
  return isSecureOrigin() ? { "strict-transport-security": "max-age=31536000" } : {};
}
