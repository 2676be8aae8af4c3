import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { API_PATH, gate } from "@/lib/http/gate";
import {
  contentSecurityPolicy,
  needsSession,
  PAGE_HEADERS,
  PATH_HEADER,
} from "@/lib/http/page-security";

const SANDBOX_PATH = /^\/(api\/)?sandbox\//;

/** Refuses early, before any route. It never grants: routes and pages decide again, in full. */
export function proxy(request: NextRequest): Response {
  const refusal = gate(request);
  if (refusal) return refusal;
  const { pathname, search } = request.nextUrl;
  if (API_PATH.test(pathname) || SANDBOX_PATH.test(pathname)) return NextResponse.next();
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
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  return response;
}

export const config = { matcher: ["/((?!_next/static/).*)"] };
