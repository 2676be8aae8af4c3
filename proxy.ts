import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { AppError, type ErrorCode } from "@/lib/errors";
import { isForeign } from "@/lib/http/foreign-post";
import { API_PATH, gate } from "@/lib/http/gate";
import {
  contentSecurityPolicy,
  needsSession,
  PATH_HEADER,
  takesForms,
  transportHeaders,
} from "@/lib/http/page-security";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";

const SANDBOX_PATH = /^\/(api\/)?sandbox\//;
const ROUTE_PATH = /^\/api\//;

/** Refuses early, before any route. It never grants: routes and pages decide again, in full. */
export function proxy(request: NextRequest): Response {
  const response = gate(request) ?? pass(request);
  for (const [name, value] of Object.entries(transportHeaders())) response.headers.set(name, value);
  return response;
}

function pass(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  if (API_PATH.test(pathname) || SANDBOX_PATH.test(pathname)) return NextResponse.next();
  if (!isRead(request)) {
    if (!ROUTE_PATH.test(pathname) && !takesForms(pathname)) return noForms();
    if (isForeign(request.headers)) return refuse("VALIDATION_ERROR", "another site sent this");
  }
  const path = `${pathname}${search}`;
  if (needsSession(pathname) && !request.cookies.has(sessionCookieName())) {
    const query = path === "/" ? "" : `?next=${encodeURIComponent(path)}`;
    return NextResponse.redirect(new URL(`/sign-in${query}`, request.url), 303);
  }
  return page(request, path);
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

const isRead = ({ method }: NextRequest) => method === "GET" || method === "HEAD";

/** Next runs a server action posted to any path. Here only pages have forms. */
const noForms = () =>
  refuse("METHOD_NOT_ALLOWED", "this path answers GET only", { allow: "GET, HEAD" });

function refuse(code: ErrorCode, message: string, headers: Record<string, string> = {}): Response {
  return toResponse(failureReply(new AppError(code, message, { headers })), newId("req"));
}

// Plain paths of the interface go to their route files directly: those refuse by the same gate, and
// passing through here costs as much as all the rest of Next. But a body that is too large, or may
// be, is refused here, before Next offers it to a route that would leave it on the connection.
export const config = {
  matcher: [
    "/((?!_next/static/|health$|v1(?:/[\\w-]+)+$).*)",
    {
      source: "/(health|v1/.*)",
      has: [{ type: "header", key: "content-length", value: "\\d{5,}" }],
    },
    { source: "/(health|v1/.*)", has: [{ type: "header", key: "transfer-encoding" }] },
  ],
};
