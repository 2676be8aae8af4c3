import "server-only";

/** Tells server components which page they are: Next does not. Set by us, never by a client. */
export const PATH_HEADER = "x-ante-path";

const DASHBOARD_PAGES =
  /^\/(?:$|(?:orders|trade|markets|activity|wallet|keys|settings|status)(?:\/|$))/;

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

/** Headers that every page and every file of it carries. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};
