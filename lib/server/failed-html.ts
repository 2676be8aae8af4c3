import "server-only";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { now } from "@/lib/clock";
import { DISPLAY_COOKIE } from "@/lib/browser/cookies";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { parseDisplaySettings } from "@/lib/schemas/settings";
import { isDocumentRequest } from "@/lib/server/document-request";
import type { PageHandler } from "@/lib/server/node-server";
import { checkHealth } from "@/lib/ops/check-health";

const LIGHT = `color-scheme: light;
  --bg: oklch(.985 .002 265); --text: oklch(.21 .015 265); --text-2: oklch(.44 .018 265);
  --border: oklch(.905 .007 265); --control: oklch(.615 .015 265); --accent: oklch(.5 .19 275);
  --on-ink: oklch(1 0 0);`;
const DARK = `color-scheme: dark;
  --bg: oklch(.16 .008 265); --text: oklch(.965 .003 265); --text-2: oklch(.78 .012 265);
  --border: oklch(.315 .014 265); --control: oklch(.565 .018 265); --accent: oklch(.74 .125 275);
  --on-ink: oklch(.16 .008 265);`;

/** A minimal copy of the dashboard's style, because the page must not depend on other files. */
const STYLE = `
:root { ${LIGHT} }
:root[data-theme=dark] { ${DARK} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${DARK} } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--text);
  font: .875rem/1.25rem ui-sans-serif, system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; padding: .375rem 1rem;
  border-bottom: 1px solid var(--border) }
nav { display: flex; flex-wrap: wrap; gap: 0 1rem }
header a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--text-2);
  text-decoration: none }
header a:hover { color: var(--text); text-decoration: underline }
header a.mark { gap: .5rem; color: var(--text); font-size: 1rem; font-weight: 600 }
main { max-width: 29rem; margin: 0 auto; padding: 2rem 1rem }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -.01em }
p { margin: .25rem 0 0; color: var(--text-2) }
.ways { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 }
.ways a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1rem;
  border: 1px solid var(--control); border-radius: 8px; color: var(--text); font-weight: 550;
  text-decoration: none }
.ways a.primary { background: var(--text); border-color: var(--text); color: var(--on-ink) }
summary { width: fit-content; min-height: 2.75rem; line-height: 2.75rem; color: var(--text-2);
  cursor: pointer }
code { font: .75rem/1rem ui-monospace, Menlo, monospace; overflow-wrap: anywhere }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;

const DOCUMENT_TYPE = /^text\/(html|plain)/;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
/** The page needs nothing but its own style and the icon. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const RETRY_AFTER_S = "5";

/**
 * Replaces Next's error page. Next's page is empty until its scripts run and has no title. This page
 * needs no script, file, session or database.
 */
export function withFailedPage(pages: PageHandler): PageHandler {
  return async (request, response) => {
    // The page that fetched another response shows its own error.
    if (isDocumentRequest(request)) replaceFailure(request, response);
    await pages(request, response);
  };
}

/** Intercepts a failed HTML response before its first byte, and sends the page instead. */
function replaceFailure(request: IncomingMessage, response: ServerResponse): void {
  const send = {
    writeHead: response.writeHead.bind(response),
    write: response.write.bind(response),
    end: response.end.bind(response),
    flushHeaders: response.flushHeaders.bind(response),
  };
  let isReplaced = false;
  const decide = () => {
    if (!response.headersSent && !isReplaced) response.writeHead(response.statusCode);
    return isReplaced;
  };
  Object.assign(response, {
    writeHead: (...head: Parameters<typeof send.writeHead>) => {
      const [status, headers] = head;
      isReplaced ||= status >= 500 && DOCUMENT_TYPE.test(readContentType(response, headers));
      return isReplaced ? response : send.writeHead(...head);
    },
    flushHeaders: () => decide() || send.flushHeaders(),
    write: (...rest: Parameters<typeof send.write>) => decide() || send.write(...rest),
    end: (...rest: []) => {
      if (!decide()) return send.end(...rest);
      Object.assign(response, send);
      void sendPage(request, response);
      return response;
    },
  });
}

function readContentType(response: ServerResponse, headers: unknown): string {
  const isGiven = typeof headers === "object" && headers !== null && "content-type" in headers;
  return String(isGiven ? headers["content-type"] : response.getHeader("content-type"));
}

async function sendPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = newId("req");
  const isHealthy = await checkHealth().then(
    () => true,
    () => false,
  );
  const status = isHealthy ? 500 : 503;
  log.error("page failed", { requestId, method: request.method ?? "GET", status });
  for (const name of ["content-encoding", "content-length", "link", "transfer-encoding"]) {
    response.removeHeader(name);
  }
  const retry = isHealthy ? {} : { "retry-after": RETRY_AFTER_S };
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...retry,
  });
  response.end(renderPage(request, `${requestId} · ${status}`, isHealthy));
}

function renderPage(request: IncomingMessage, reference: string, isHealthy: boolean): string {
  const { method = "GET", url = "/" } = request;
  const isRead = method === "GET" || method === "HEAD";
  const reason = isHealthy
    ? "Something went wrong on our side."
    : "The service can’t reach its database right now.";
  const consequence = isRead
    ? "Your orders and money aren’t affected."
    : "We don’t know whether your request went through. Check before you send it again.";
  const [href, label] = isRead ? [url, "Retry"] : ["/orders", "View your orders"];
  return `<!doctype html>
<html lang="en"${renderTheme(request)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<title>This page didn’t load · Ante</title>
<style>${STYLE}</style>
</head>
<body>
<header><a class="mark" href="/">${MARK}Ante</a>
<nav aria-label="Main">${renderNavigation()}</nav></header>
<main>
<h1>This page didn’t load.</h1>
<p>${reason} ${consequence}</p>
<p class="ways"><a class="primary" href="${escapeHtml(href)}">${label}</a><a class="button" href="/health">Service health</a></p>
<details><summary>Details</summary><p><code>${reference} · ${new Date(now()).toISOString()}</code></p></details>
</main>
</body>
</html>
`;
}

const MARK = `<svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" fill="currentColor">
<rect x="2" y="11" width="20" height="8" rx="4" opacity=".35"/><rect x="2" y="5" width="20" height="8" rx="4"/></svg>`;
const LINKS = { "/": "Portfolio", "/markets": "Markets", "/orders": "Orders", "/docs": "Docs" };

const renderNavigation = () =>
  Object.entries(LINKS)
    .map(([href, label]) => `<a href="${href}">${label}</a>`)
    .join("");

/** Renders the theme attribute of the user's choice; empty for the system's theme. */
function renderTheme({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? "").split(/;\s*/);
  const cookie = pairs.find((pair) => pair.startsWith(`${DISPLAY_COOKIE}=`));
  const { theme } = parseDisplaySettings(cookie?.slice(DISPLAY_COOKIE.length + 1));
  return theme === "system" ? "" : ` data-theme="${theme}"`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

const escapeHtml = (text: string) => text.replaceAll(/[&"<]/g, (one) => ENTITIES[one] ?? "");
