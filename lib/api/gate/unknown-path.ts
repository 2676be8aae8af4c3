import "server-only";
import { AppError } from "@/lib/errors";
import { API_PATH } from "@/lib/api/http/request";
import { isPage } from "@/lib/api/http/page-security";
import { failureReply, toResponse } from "@/lib/api/http/respond";
import { newId } from "@/lib/ids";

/** Paths with their own handlers: route files, the sandbox, and the files of `public`. */
const OWN_ANSWERS = new RegExp(
  "^/(?:(?:api|brand|icons|sandbox|_next)/|__next|(?:" +
    "apple-touch-icon\\.png|favicon\\.ico|icon\\.svg|llms\\.txt|mcp|manifest\\.webmanifest|robots\\.txt|sw\\.js)$)",
);
/** Media types that a browser accepts when it opens a page or runs an action of Next. */
const ASKS_FOR_PAGE = /text\/html|application\/xhtml\+xml|text\/x-component/i;
const ASKS_FOR_JSON = /\bapplication\/(?:[\w.-]+\+)?json\b/i;

/**
 * Refuses a program's request for an unknown path with the envelope. A program accepts JSON, or asks
 * for a path without a page and doesn't accept HTML.
 *
 * @returns null if the request may pass.
 */
export function refuseUnknownPath({ url, headers }: Request): Response | null {
  const { pathname } = new URL(url);
  const accept = headers.get("accept") ?? "*/*";
  if (API_PATH.test(pathname) || OWN_ANSWERS.test(pathname)) return null;
  if (ASKS_FOR_PAGE.test(accept)) return null;
  if (isPage(pathname) && !ASKS_FOR_JSON.test(accept)) return null;
  const missing = new AppError(
    "ROUTE_NOT_FOUND",
    "There is no such path in this interface. /v1/openapi.json lists its paths.",
  );
  return toResponse(failureReply(missing), newId("req"));
}
