import "server-only";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { now } from "@/lib/clock";
import { DISPLAY_COOKIE } from "@/lib/client/cookies";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { parseDisplaySettings } from "@/lib/schemas/settings";
import type { PageHandler } from "@/lib/server/node-server";
import { FAILED_PAGE_STYLE } from "@/lib/server/failed-page-style";
import { checkHealth } from "@/lib/services/health/check-health";

const DOCUMENT_TYPE = /^text\/(html|plain)/;
const STYLE_HASH = createHash("sha256").update(FAILED_PAGE_STYLE).digest("base64");
/** Whatever the lost page was allowed, this one only shows itself. */
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
 * Answers with a page of its own where Next could not render one. Next's is empty until its scripts
 * ran, and has no title; this one needs no script, no file, no session and no database.
 */
export function withFailedPage(pages: PageHandler): PageHandler {
  return async (request, response) => {
    // Those are not shown: the page that fetched them shows its own error.
    const isFetched = request.headers["rsc"] !== undefined || "next-action" in request.headers;
    if (!isFetched) replaceFailure(request, response);
    await pages(request, response);
  };
}

/** Holds a failure back before its first byte, and sends the page in its place when it has ended. */
function replaceFailure(request: IncomingMessage, response: ServerResponse): void {
  const send = {
    writeHead: response.writeHead.bind(response),
    write: response.write.bind(response),
    end: response.end.bind(response),
    flushHeaders: response.flushHeaders.bind(response),
  };
  let isHeld = false;
  const decide = () => {
    if (!response.headersSent && !isHeld) response.writeHead(response.statusCode);
    return isHeld;
  };
  Object.assign(response, {
    writeHead: (...head: Parameters<typeof send.writeHead>) => {
      const [status, headers] = head;
      isHeld ||= status >= 500 && DOCUMENT_TYPE.test(typeOf(response, headers));
      return isHeld ? response : send.writeHead(...head);
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

function typeOf(response: ServerResponse, headers: unknown): string {
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
  log.error("a page failed", { requestId, method: request.method ?? "GET", status });
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
  response.end(pageOf(request, `${requestId} · ${status}`, isHealthy));
}

function pageOf(request: IncomingMessage, reference: string, isHealthy: boolean): string {
  const { method = "GET", url = "/" } = request;
  const isRead = method === "GET" || method === "HEAD";
  const reason = isHealthy
    ? "Something went wrong on our side."
    : "The service can’t reach its database right now.";
  const consequence = isRead
    ? "Your orders and your money are not affected."
    : "We don’t know whether what you sent was carried out. Look before you send it again.";
  const [href, label] = isRead ? [url, "Retry"] : ["/orders", "Look at your orders"];
  return `<!doctype html>
<html lang="en"${themeOf(request)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<title>This page didn’t load · Ante</title>
<style>${FAILED_PAGE_STYLE}</style>
</head>
<body>
<header><a class="mark" href="/">${MARK}Ante</a>
<nav aria-label="Main">${navigation()}</nav></header>
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
const WAYS = { "/": "Portfolio", "/markets": "Markets", "/orders": "Orders", "/docs": "Docs" };

const navigation = () =>
  Object.entries(WAYS)
    .map(([href, label]) => `<a href="${href}">${label}</a>`)
    .join("");

/** The theme that the browser was told to use; the system's when it was told none. */
function themeOf({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? "").split(/;\s*/);
  const cookie = pairs.find((pair) => pair.startsWith(`${DISPLAY_COOKIE}=`));
  const { theme } = parseDisplaySettings(cookie?.slice(DISPLAY_COOKIE.length + 1));
  return theme === "system" ? "" : ` data-theme="${theme}"`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

const escapeHtml = (text: string) => text.replaceAll(/[&"<]/g, (one) => ENTITIES[one] ?? "");
