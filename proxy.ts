import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { AppError, type ErrorCode } from "@/lib/errors";
import { isForeign } from "@/lib/api/http/foreign-post";
import { API_PATH, readRequest } from "@/lib/api/http/request";
import { gate } from "@/lib/api/gate/gate";
import { MCP_PATH } from "@/lib/api/gate/mcp-path";
import {
  contentSecurityPolicy,
  needsSession,
  PATH_HEADER,
  takesForms,
  transportHeaders,
} from "@/lib/api/http/page-security";
import { failureReply, toResponse } from "@/lib/api/http/respond";
import { refuseUnknownPath } from "@/lib/api/gate/unknown-path";
import { newId } from "@/lib/ids";
import { buildSignInHref, type SessionEnd } from "@/lib/domain/sign-in-link";

const SANDBOX_PATH = /^\/(api\/)?sandbox\//;
const ROUTE_PATH = /^\/api\//;
/** These responses carry the policy of the interface; the responses of next-auth can be pages. */
const JSON_PATH = /^\/api\/(?!auth\/)/;

/** Refuses early, before any route. It never grants anything: routes and pages decide in full. */
export function proxy(request: NextRequest): Response {
  const response = refuseAtGate(request) ?? refuseUnknownPath(request) ?? pass(request);
  for (const [name, value] of Object.entries(transportHeaders())) response.headers.set(name, value);
  return response;
}

function refuseAtGate(request: NextRequest): Response | null {
  const result = gate(readRequest(request));
  if (result.outcome !== "refused") return null;
  return toResponse(result.reply, newId("req"), request.method);
}

function pass(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  if (API_PATH.test(pathname) || SANDBOX_PATH.test(pathname)) return NextResponse.next();
  // Its own handler checks the origin, and the key instead of a session.
  if (MCP_PATH.test(pathname)) return NextResponse.next();
  if (!isRead(request)) {
    if (!ROUTE_PATH.test(pathname) && !takesForms(pathname) && !hasSession(request))
      return noForms();
    if (isForeign(request.headers))
      return refuse("VALIDATION_ERROR", "Another site sent this request.");
  }
  if (JSON_PATH.test(pathname)) return NextResponse.next();
  const path = `${pathname}${search}`;
  if (needsSession(pathname) && !hasSession(request)) {
    const href = buildSignInHref(path, classifyEnd(request));
    return NextResponse.redirect(new URL(href, request.url), 303);
  }
  return page(request, path);
}

/** The browser was signed in if a page that needs a session asks for another one. */
function classifyEnd(request: NextRequest): SessionEnd | null {
  if (!isRead(request)) return "unsent";
  const from = request.headers.get("referer");
  const isOwn = from !== null && URL.canParse(from) && !isForeign(request.headers);
  return isOwn && needsSession(new URL(from).pathname) ? "session" : null;
}

function page(request: NextRequest, path: string): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from the policy of the request.
  headers.set("content-security-policy", policy);
  headers.set(PATH_HEADER, path);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

const hasSession = ({ cookies }: NextRequest) => cookies.has(sessionCookieName());

const isRead = ({ method }: NextRequest) => method === "GET" || method === "HEAD";

/** Next runs a server action posted to any path. Here only pages have forms: with a session, also the 404 page. */
const noForms = () =>
  refuse("METHOD_NOT_ALLOWED", "This path allows GET only.", { allow: "GET, HEAD" });

function refuse(code: ErrorCode, message: string, headers: Record<string, string> = {}): Response {
  return toResponse(failureReply(new AppError(code, message, { headers })), newId("req"));
}

// Every path but the build's own static files: the gate sees each request to the interface.
export const config = { matcher: ["/((?!_next/static/).*)"] };
